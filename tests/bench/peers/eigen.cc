// The cases in Eigen: as an Array if they are a matrix with repeated rows or
// columns, else as a broadcast Tensor. Neighbouring axes are already joined, as
// an experienced user of Eigen would do.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <unsupported/Eigen/CXX11/Tensor>

#include "peer.h"

namespace peer {
namespace {

template <class T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;
template <class T>
using RowMap = Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>;
template <class T>
using ColumnMap = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

Eigen::Index Extent(const Shape& shape, size_t from_right) {
  return shape.size() < from_right
             ? 1
             : static_cast<Eigen::Index>(shape[shape.size() - from_right]);
}

struct Add {
  static constexpr const char* kName = "Add";
  template <class A, class B>
  static auto Apply(const A& a, const B& b) {
    return a + b;
  }
};
struct Mul {
  static constexpr const char* kName = "Mul";
  template <class A, class B>
  static auto Apply(const A& a, const B& b) {
    return a * b;
  }
};
struct Less {
  static constexpr const char* kName = "Less";
  template <class A, class B>
  static auto Apply(const A& a, const B& b) {
    return a < b;
  }
};
struct Pow {
  static constexpr const char* kName = "Pow";
  template <class A, class B>
  static auto Apply(const A& a, const B& b) {
    return Eigen::pow(a, b);
  }
};

// Two operands of at most two axes.
template <class Op, class T, class Out>
std::function<void()> Matrices(const Case& it) {
  const Eigen::Index rows = Extent(it.target, 2),
                     columns = Extent(it.target, 1);
  auto* const a = static_cast<T*>(it.inputs[0]);
  auto* const b = static_cast<T*>(it.inputs[1]);
  auto* const out = static_cast<Out*>(it.output);
  const Shape &sa = it.shapes[0], &sb = it.shapes[1];
  const bool a_rows = Extent(sa, 2) == rows,
             a_columns = Extent(sa, 1) == columns;
  const bool b_rows = Extent(sb, 2) == rows,
             b_columns = Extent(sb, 1) == columns;
  if (a_rows && a_columns && b_rows && b_columns) {
    return [=] {
      MatrixMap<Out>(out, rows, columns) = Op::Apply(
          MatrixMap<T>(a, rows, columns), MatrixMap<T>(b, rows, columns));
    };
  }
  if (a_rows && a_columns && b_columns) {
    return [=] {
      MatrixMap<Out>(out, rows, columns) =
          Op::Apply(MatrixMap<T>(a, rows, columns),
                    RowMap<T>(b, columns).replicate(rows, 1));
    };
  }
  if (a_rows && a_columns && b_rows) {
    return [=] {
      MatrixMap<Out>(out, rows, columns) =
          Op::Apply(MatrixMap<T>(a, rows, columns),
                    ColumnMap<T>(b, rows).replicate(1, columns));
    };
  }
  if (a_rows && a_columns) {
    return [=] {
      MatrixMap<Out>(out, rows, columns) =
          Op::Apply(MatrixMap<T>(a, rows, columns),
                    Matrix<T>::Constant(rows, columns, *b));
    };
  }
  if (a_rows && b_columns) {
    return [=] {
      MatrixMap<Out>(out, rows, columns) =
          Op::Apply(ColumnMap<T>(a, rows).replicate(1, columns),
                    RowMap<T>(b, columns).replicate(rows, 1));
    };
  }
  return {};
}

template <class T>
std::function<void()> RepeatMatrix(const Case& it) {
  const Eigen::Index rows = Extent(it.target, 2),
                     columns = Extent(it.target, 1);
  const Shape& shape = it.shapes[0];
  auto* const in = static_cast<T*>(it.inputs[0]);
  auto* const out = static_cast<T*>(it.output);
  const bool has_rows = Extent(shape, 2) == rows;
  const bool has_columns = Extent(shape, 1) == columns;
  return [=] {
    MatrixMap<T> result(out, rows, columns);
    if (has_columns) {
      result = RowMap<T>(in, columns).replicate(rows, 1);
    } else if (has_rows) {
      result = ColumnMap<T>(in, rows).replicate(1, columns);
    } else {
      result.setConstant(*in);
    }
  };
}

template <int kRank>
using Extents = Eigen::array<Eigen::Index, kRank>;
template <class T, int kRank>
using TensorMap =
    Eigen::TensorMap<Eigen::Tensor<T, kRank, Eigen::RowMajor, Eigen::Index>>;

template <int kRank>
Extents<kRank> OwnExtents(const Shape& shape) {
  Extents<kRank> extents;
  for (int i = 0; i < kRank; ++i) {
    extents[i] = Extent(shape, static_cast<size_t>(kRank - i));
  }
  return extents;
}

template <int kRank>
Extents<kRank> Repeats(const Shape& shape, const Shape& target) {
  const Extents<kRank> own = OwnExtents<kRank>(shape);
  Extents<kRank> repeats = OwnExtents<kRank>(target);
  for (int i = 0; i < kRank; ++i) repeats[i] /= own[i];
  return repeats;
}

template <int kRank>
std::function<void()> Tensors(const Case& it) {
  using Map = TensorMap<float, kRank>;
  Map out(static_cast<float*>(it.output), OwnExtents<kRank>(it.target));
  const auto operand = [&](size_t i) {
    return Map(static_cast<float*>(it.inputs[i]),
               OwnExtents<kRank>(it.shapes[i]));
  };
  const Extents<kRank> first = Repeats<kRank>(it.shapes[0], it.target);
  const Map a = operand(0);
  if (it.op == "Broadcast") {
    return [=]() mutable { out = a.broadcast(first); };
  }
  const Extents<kRank> second = Repeats<kRank>(it.shapes[1], it.target);
  const Map b = operand(1);
  const bool full = it.shapes[0] == it.target;
  if (it.op == "Add" && full) {
    return [=]() mutable { out = a + b.broadcast(second); };
  }
  if (it.op == "Add") {
    return [=]() mutable { out = a.broadcast(first) + b.broadcast(second); };
  }
  if (it.op == "Mul" && full) {
    return [=]() mutable { out = a * b.broadcast(second); };
  }
  return {};
}

}  // namespace

std::function<void()> Prepare(const Case& it) {
  if (it.target.size() <= 2) {
    if (it.op == "Broadcast") {
      switch (WidthOf(it.dtype)) {
        case 1:
          return RepeatMatrix<uint8_t>(it);
        case 4:
          return RepeatMatrix<float>(it);
        case 8:
          return RepeatMatrix<double>(it);
        default:
          return {};
      }
    }
    if (it.op == "Add" && it.dtype == "f32") {
      return Matrices<Add, float, float>(it);
    }
    if (it.op == "Add" && it.dtype == "f64") {
      return Matrices<Add, double, double>(it);
    }
    if (it.op == "Add" && it.dtype == "u8") {
      return Matrices<Add, uint8_t, uint8_t>(it);
    }
    if (it.op == "Mul" && it.dtype == "f32") {
      return Matrices<Mul, float, float>(it);
    }
    if (it.op == "Mul" && it.dtype == "i32") {
      return Matrices<Mul, int32_t, int32_t>(it);
    }
    if (it.op == "Less" && it.dtype == "f32") {
      return Matrices<Less, float, bool>(it);
    }
    if (it.op == "Pow" && it.dtype == "f32") {
      return Matrices<Pow, float, float>(it);
    }
    return {};
  }
  if (it.dtype != "f32") return {};
  switch (it.target.size()) {
    case 3:
      return Tensors<3>(it);
    case 4:
      return Tensors<4>(it);
    case 8:
      return Tensors<8>(it);
    default:
      return {};
  }
}

std::string Version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." +
         std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace peer

int main() { return peer::Main(); }
