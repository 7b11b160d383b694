// Sentences, documents and texts in the caller's buffer.

#include <string.h>

#include "check.h"

static const int64_t kA[] = {32, 10}, kB[] = {32};
static const bl_shape kShapes[] = {{kA, 2}, {kB, 1}};

static bl_request Request(void) {
  bl_request request = BL_REQUEST_INIT;
  request.rule = BL_RULE_NUMPY;
  request.shapes = kShapes;
  request.operand_count = 2;
  return request;
}

// A text is cut to fit, and always ends with a zero.
static void TestCutTexts(const bl_error* error) {
  char whole[600];
  const size_t length = bl_describe_error(error, whole, sizeof whole);
  CHECK(length == strlen(whole) && length > 20);
  CHECK(bl_describe_error(error, NULL, 0) == length);
  CHECK(bl_describe_error(error, NULL, 99) == length);
  for (size_t capacity = 1; capacity < length + 3; ++capacity) {
    char text[600];
    memset(text, '#', sizeof text);
    CHECK(bl_describe_error(error, text, capacity) == length);
    const size_t written = capacity - 1 < length ? capacity - 1 : length;
    CHECK(strlen(text) == written);
    CHECK(memcmp(text, whole, written) == 0);
    CHECK(text[capacity] == '#');
  }
}

void TestExplanations(void) {
  bl_request request = Request();
  bl_error error = BL_ERROR_INIT;
  size_t rank;
  CHECK(bl_infer_shape(&request, NULL, 0, &rank, &error) ==
        BL_ERROR_INCOMPATIBLE);
  CHECK(error.operand == 1 && error.other_operand == 0 && error.axis == 1);
  CHECK(error.extent == 32 && error.other_extent == 10);
  CHECK(strcmp(error.clause, "numpy.3") == 0 && error.argument == NULL);
  CHECK_SAYS(&error, "Axis 1: B has 32 (its axis 0) but A has 10");
  TestCutTexts(&error);
  CHECK(strstr(bl_clause_document("numpy.3"), "OpenVINO") != NULL);
  CHECK(strcmp(bl_clause_place("numpy.3"), "Numpy broadcast, 3") == 0);
  CHECK(bl_clause_text("numpy.99") == NULL && bl_clause_text(NULL) == NULL);

  bl_alignment* alignment = NULL;
  CHECK(bl_align(&request, &alignment, NULL) == BL_OK);
  char text[300], other[300];
  bl_explain_verdict(alignment, text, sizeof text);
  bl_describe_error(&error, other, sizeof other);
  CHECK(strcmp(text, other) == 0);
  CHECK(bl_explain_axis(alignment, 9, text, sizeof text) == 0 && *text == 0);
  CHECK(bl_explain_verdict(NULL, text, sizeof text) == 0 && *text == 0);
  bl_alignment_free(alignment);

  bl_text* document = NULL;
  CHECK(bl_explain(&request, NULL, &document, &error) == BL_OK);
  const char* json = bl_text_chars(document);
  CHECK(strlen(json) == bl_text_length(document));
  CHECK(strncmp(json, "{\"version\":1,\"kind\":\"alignment\",", 32) == 0);
  CHECK(strstr(json, "\"cause\":{") != NULL);
  CHECK(strstr(json, "x.mean(1)") == NULL);
  bl_text_free(document);

  const char* const expressions[] = {"x", "x.mean(1)"};
  bl_explain_options options = BL_EXPLAIN_OPTIONS_INIT;
  options.expressions = expressions;
  options.expression_count = 2;
  options.parts = BL_PART_REPAIRS | BL_PART_CODE;
  options.link_base = "http://localhost:8080/";
  CHECK(bl_explain(&request, &options, &document, &error) == BL_OK);
  json = bl_text_chars(document);
  CHECK(strstr(json, "x.mean(1, keepdims=True)") != NULL);
  CHECK(strstr(json, "\"verdict\"") == NULL);
  CHECK(strstr(json, "\"link\":\"http://localhost:8080/") != NULL);
  bl_text_free(document);

  // An operand without an expression is called by its letter.
  for (int i = 0; i < 2; ++i) {
    const char* const some[] = {"x", i == 0 ? NULL : ""};
    options.expressions = some;
    CHECK(bl_explain(&request, &options, &document, &error) == BL_OK);
    CHECK(strstr(bl_text_chars(document), "b[:, None]") != NULL);
    bl_text_free(document);
  }

  // (32,1) with (32) is an outer product, which may be meant.
  const int64_t column[] = {32, 1};
  const bl_shape outer[] = {{column, 2}, {kB, 1}};
  request.shapes = outer;
  bl_explain_options plain = BL_EXPLAIN_OPTIONS_INIT;
  plain.parts = BL_PART_WARNINGS;
  CHECK(bl_explain(&request, &plain, &document, &error) == BL_OK);
  CHECK(strstr(bl_text_chars(document), "\"kind\":\"outer\"") != NULL);
  bl_text_free(document);
  const char* const meant[] = {"outer"};
  plain.expect = meant;
  plain.expect_count = 1;
  CHECK(bl_explain(&request, &plain, &document, &error) == BL_OK);
  CHECK(strstr(bl_text_chars(document), "\"kind\":\"outer\"") == NULL);
  bl_text_free(document);

  // Policies, and names of axes.
  request.shapes = kShapes;
  const int64_t fits[] = {10};
  const bl_shape both[] = {{kA, 2}, {fits, 1}};
  request.shapes = both;
  request.refused = BL_REFUSE_INSERTS;
  CHECK(bl_infer_shape(&request, NULL, 0, &rank, &error) == BL_ERROR_POLICY);
  CHECK(error.detail == BL_DETAIL_NO_RANK_PROMOTION);
  const char* const of_a[] = {"batch", "class"};
  const char* const of_b[] = {"row"};
  bl_names names[] = {{of_a, 2}, {of_b, 1}};
  request.refused = BL_REFUSE_OTHER_NAMES;
  request.axis_names = names;
  CHECK(bl_infer_shape(&request, NULL, 0, &rank, &error) == BL_ERROR_POLICY);
  CHECK(error.detail == BL_DETAIL_SAME_NAMES);
  names[1].names = of_a + 1;
  int64_t extents[2];
  CHECK(bl_infer_shape(&request, extents, 2, &rank, &error) == BL_OK);
}
