// Answers the questions `vocabulary`, `shape` and `apply` of
// tests/conformance/session.cc through the C interface, in the same form.

#include <broadloom/c.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostWords = 200, kMostNumbers = 64 };

typedef struct {
  int64_t values[kMostNumbers];
  bl_integers list;
  int is_given;
} List;

static int Malformed(const char* why) {
  printf("malformed %s\n", why);
  return 0;
}

// "[2,3]", or "-" for a list that is not given.
static int ReadList(const char* word, List* out) {
  memset(out, 0, sizeof *out);
  out->list.values = out->values;
  if (strcmp(word, "-") == 0) return 1;
  out->is_given = 1;
  if (*word++ != '[') return 0;
  while (*word != ']') {
    if (out->list.count == kMostNumbers) return 0;
    char* end;
    out->values[out->list.count++] = strtoll(word, &end, 10);
    if (end == word || (*end != ',' && *end != ']')) return 0;
    word = end + (*end == ',');
  }
  return 1;
}

static void WriteList(bl_integers list) {
  printf("[");
  for (size_t i = 0; i < list.count; ++i) {
    printf(i == 0 ? "%" PRId64 : ",%" PRId64, list.values[i]);
  }
  printf("]");
}

static const char kDigits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Reads base64 into memory of exactly the right length, so that a sanitizer
// sees what lies beyond.
static unsigned char* ReadBytes(const char* word, size_t* bytes) {
  size_t letters = 0;
  while (word[letters] != '\0' && word[letters] != '=') ++letters;
  *bytes = letters * 6 / 8;
  unsigned char* const out = malloc(*bytes == 0 ? 1 : *bytes);
  uint32_t bits = 0;
  int count = 0;
  size_t written = 0;
  for (size_t i = 0; i < letters; ++i) {
    const char* const digit = strchr(kDigits, word[i]);
    bits = bits << 6 | (uint32_t)(digit == NULL ? 0 : digit - kDigits);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out[written++] = (unsigned char)(bits >> count);
    }
  }
  return out;
}

static void WriteBytes(const unsigned char* bytes, size_t count) {
  for (size_t i = 0; i < count; i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < count ? bytes[i + k] : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      putchar(i + k > count ? '=' : kDigits[bits >> (18 - 6 * k) & 63]);
    }
  }
}

static void WriteError(const bl_error* error) {
  const char* const detail = bl_detail_name(error->detail);
  printf("error %s %s\n", bl_error_class_name(error->error_class),
         detail == NULL ? "-" : detail);
}

static void AnswerVocabulary(void) {
  printf("vocabulary");
  for (int32_t i = 1; bl_dtype_name(i) != NULL; ++i) {
    printf(" dtype:%s:%d", bl_dtype_name(i), (int)bl_dtype_bits(i));
  }
  for (int32_t i = 1; bl_op_name(i) != NULL; ++i) {
    printf(" op:%s%s", bl_op_name(i),
           i == BL_OP_MOD         ? ":fmod"
           : i == BL_OP_BIT_SHIFT ? ":direction"
           : i == BL_OP_CAST      ? ":to:saturate"
                                  : "");
  }
  for (int32_t i = 1; bl_rule_name(i) != NULL; ++i) {
    printf(" rule:%s%s", bl_rule_name(i),
           bl_accepts(BL_OP_BROADCAST, i) ? ":moves" : "");
  }
  for (int32_t i = 1; i < 200; ++i) {
    const char* const name = bl_error_class_name(i);
    if (name != NULL) printf(" error:%s", name);
  }
  printf("\n");
}

// The options of three words that both questions have.
typedef struct {
  int64_t axis;
  List target;
  List mapping;
} Options;

static int ReadOptions(char** words, Options* out, bl_request* request) {
  if (strcmp(words[0], "-") != 0) {
    out->axis = strtoll(words[0], NULL, 10);
    request->axis = &out->axis;
  }
  if (!ReadList(words[1], &out->target) || !ReadList(words[2], &out->mapping)) {
    return Malformed("a list");
  }
  if (out->target.is_given) request->target_shape = &out->target.list;
  if (out->mapping.is_given) request->axes_mapping = &out->mapping.list;
  return 1;
}

static int AnswerShape(char** words, int count) {
  if (count < 6) return Malformed("shape: too few words");
  bl_request request = BL_REQUEST_INIT;
  Options options;
  memset(&options, 0, sizeof options);
  request.rule = bl_find_rule(words[1]);
  if (!ReadOptions(words + 2, &options, &request)) return 0;
  if (strcmp(words[5], "-") != 0) {
    request.result_dtype = bl_find_dtype(words[5]);
  }
  const size_t operands = (size_t)(count - 6);
  List* const lists = calloc(operands + 1, sizeof *lists);
  bl_shape* const shapes = calloc(operands + 1, sizeof *shapes);
  for (size_t i = 0; i < operands; ++i) {
    if (!ReadList(words[6 + i], &lists[i])) return Malformed("a shape");
    shapes[i] = lists[i].list;
  }
  request.shapes = shapes;
  request.operand_count = operands;
  bl_error error = BL_ERROR_INIT;
  int64_t extents[kMostNumbers];
  size_t rank;
  if (bl_infer_shape(&request, extents, kMostNumbers, &rank, &error) == BL_OK) {
    const bl_integers result = {extents, rank};
    printf("shape ");
    WriteList(result);
    printf("\n");
  } else {
    WriteError(&error);
  }
  free(shapes);
  free(lists);
  return 1;
}

// Attributes as NAME=VALUE,NAME=VALUE, or "-".
typedef struct {
  int64_t fmod, saturate;
} Numbers;

static int ReadAttributes(char* word, Numbers* numbers, bl_request* request) {
  if (strcmp(word, "-") == 0) return 1;
  for (char* part = strtok(word, ","); part != NULL; part = strtok(NULL, ",")) {
    char* const value = strchr(part, '=');
    if (value == NULL) return Malformed("attribute");
    if (strncmp(part, "fmod=", 5) == 0) {
      numbers->fmod = strtoll(value + 1, NULL, 10);
      request->fmod = &numbers->fmod;
    } else if (strncmp(part, "saturate=", 9) == 0) {
      numbers->saturate = strtoll(value + 1, NULL, 10);
      request->saturate = &numbers->saturate;
    } else if (strncmp(part, "to=", 3) == 0) {
      request->to = bl_find_dtype(value + 1);
    } else if (strcmp(part, "direction=left") == 0) {
      request->direction = BL_DIRECTION_LEFT;
    } else if (strcmp(part, "direction=right") == 0) {
      request->direction = BL_DIRECTION_RIGHT;
    } else {
      return Malformed("no such attribute");
    }
  }
  return 1;
}

static void WriteTensor(const bl_tensor* tensor) {
  bl_tensor_view view;
  if (bl_tensor_get_view(tensor, &view, NULL) != BL_OK) return;
  printf(" %s ", bl_dtype_name(view.dtype));
  WriteList(view.shape);
  printf(" ");
  WriteBytes(view.data, view.bytes);
}

// Runs a plan, for rules with several results.
static void AnswerByPlan(bl_request* request, const bl_tensor_view* inputs,
                         size_t count) {
  bl_shape* const shapes = calloc(count + 1, sizeof *shapes);
  bl_dtype* const dtypes = calloc(count + 1, sizeof *dtypes);
  for (size_t i = 0; i < count; ++i) {
    shapes[i] = inputs[i].shape;
    dtypes[i] = inputs[i].dtype;
  }
  request->shapes = shapes;
  request->dtypes = dtypes;
  request->operand_count = count;
  bl_error error = BL_ERROR_INIT;
  bl_plan* plan;
  bl_error_class status = bl_plan_make(request, &plan, &error);
  const size_t results = bl_plan_result_count(plan);
  const bl_shape shape = bl_plan_result_shape(plan);
  bl_tensor** const tensors = calloc(results + 1, sizeof *tensors);
  bl_tensor_view* const outputs = calloc(results + 1, sizeof *outputs);
  for (size_t i = 0; i < results && status == BL_OK; ++i) {
    status = bl_tensor_allocate(bl_plan_result_dtype(plan, i), &shape, NULL,
                                &tensors[i], &error);
    if (status == BL_OK) {
      status = bl_tensor_get_view(tensors[i], &outputs[i], &error);
    }
  }
  if (status == BL_OK) {
    status = bl_plan_run(plan, inputs, count, outputs, results, NULL, &error);
  }
  if (status == BL_OK) {
    printf("tensors");
    for (size_t i = 0; i < results; ++i) WriteTensor(tensors[i]);
    printf("\n");
  } else {
    WriteError(&error);
  }
  for (size_t i = 0; i < results; ++i) bl_tensor_free(tensors[i]);
  free(outputs);
  free(tensors);
  bl_plan_free(plan);
  free(dtypes);
  free(shapes);
}

static int AnswerApply(char** words, int count) {
  if (count < 7 || (count - 7) % 3 != 0) return Malformed("number of words");
  bl_request request = BL_REQUEST_INIT;
  Options options;
  memset(&options, 0, sizeof options);
  Numbers numbers = {0, 0};
  request.op = bl_find_op(words[1]);
  request.rule = bl_find_rule(words[2]);
  if (!ReadOptions(words + 3, &options, &request)) return 0;
  if (!ReadAttributes(words[6], &numbers, &request)) return 0;
  const size_t operands = (size_t)(count - 7) / 3;
  List* const lists = calloc(operands + 1, sizeof *lists);
  bl_tensor_view* const inputs = calloc(operands + 1, sizeof *inputs);
  for (size_t i = 0; i < operands; ++i) {
    char** const word = words + 7 + 3 * i;
    if (!ReadList(word[1], &lists[i])) return Malformed("a shape");
    inputs[i].dtype = bl_find_dtype(word[0]);
    inputs[i].flags = BL_TENSOR_READ_ONLY;
    inputs[i].data = ReadBytes(word[2], &inputs[i].bytes);
    inputs[i].shape = lists[i].list;
  }
  if (request.rule == BL_RULE_SONNX) {
    AnswerByPlan(&request, inputs, operands);
  } else {
    bl_error error = BL_ERROR_INIT;
    bl_tensor* result;
    if (bl_apply(&request, inputs, operands, NULL, &result, &error) == BL_OK) {
      printf("tensors");
      WriteTensor(result);
      printf("\n");
    } else {
      WriteError(&error);
    }
    bl_tensor_free(result);
  }
  for (size_t i = 0; i < operands; ++i) free(inputs[i].data);
  free(inputs);
  free(lists);
  return 1;
}

// A line without its end, in memory that grows; null at the end of the input.
static char* ReadLine(char** line, size_t* capacity) {
  size_t length = 0;
  for (int letter = getchar(); letter != '\n'; letter = getchar()) {
    if (letter == EOF) return NULL;
    if (length + 2 > *capacity) {
      *capacity = 2 * *capacity + 256;
      *line = realloc(*line, *capacity);
    }
    (*line)[length++] = (char)letter;
  }
  if (length == 0) return NULL;
  (*line)[length] = '\0';
  return *line;
}

int main(void) {
  char* line = NULL;
  size_t capacity = 0;
  while (ReadLine(&line, &capacity) != NULL) {
    char* words[kMostWords];
    int count = 0;
    // Not strtok: the data of a tensor without elements is an empty word.
    for (char* word = line; word != NULL && count < kMostWords; ++count) {
      words[count] = word;
      word = strchr(word, ' ');
      if (word != NULL) *word++ = '\0';
    }
    if (strcmp(words[0], "vocabulary") == 0) {
      AnswerVocabulary();
    } else if (strcmp(words[0], "shape") == 0) {
      AnswerShape(words, count);
    } else if (strcmp(words[0], "apply") == 0) {
      AnswerApply(words, count);
    } else {
      Malformed("no such question");
    }
    fflush(stdout);
  }
  free(line);
  return 0;
}
