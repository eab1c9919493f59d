/**
 * The effects of a step in one frame of bytes: an {@link io.entroq.codec.effect.EffectWriter}
 * writes it, a {@link io.entroq.codec.effect.StepFrame} reads it. Frames exist in memory only and
 * are never stored, so their layout may change with each build. Fixed fields instead of protobuf,
 * because the writer is the thread that applies records. Not thread-safe; allocates nothing unless
 * it throws. {@code EffectKinds} is generated from {@code effect.proto}.
 */
package io.entroq.codec.effect;
