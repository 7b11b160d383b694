// The common type of two types, computed at compile time.

import type { DType, PromotedType } from 'broadloom';
import { are } from './exact.js';

are<PromotedType<'i8', 'u8'>, 'i16'>();
are<PromotedType<'u8', 'i8'>, 'i16'>();
are<PromotedType<'u64', 'i64'>, 'f64'>();
are<PromotedType<'i16', 'f16'>, 'f32'>();
are<PromotedType<'f32', 'i64'>, 'f64'>();
are<PromotedType<'c64', 'f64'>, 'c128'>();
are<PromotedType<'bool', 'bool'>, 'bool'>();
are<PromotedType<'bf16', 'u8'>, 'bf16'>();
are<PromotedType<'bf16', 'f16'>, never>();
are<PromotedType<'i4', 'i4'>, 'i4'>();
are<PromotedType<'i4', 'u4'>, never>();
are<PromotedType<'i4', 'int'>, never>();
are<PromotedType<'f32', 'float'>, 'f32'>();
are<PromotedType<'int', 'bool'>, 'i64'>();
are<PromotedType<'i32', 'int' | 'float'>, 'i32' | 'f64'>();
are<PromotedType<'f32' | 'u16', 'i16'>, 'f32' | 'i32'>();
are<PromotedType<DType, 'bool'>, Exclude<DType, 'i4' | 'u4' | 'u1'>>();
// @ts-expect-error not the name of a type
are<PromotedType<'f33', 'f32'>, never>();
