/**
 * Between the values of tasks and the objects of a program.
 *
 * <p>A codec is safe to use from any thread and does no IO. {@link
 * io.entroq.api.codec.JacksonCodec} alone needs Jackson on the class path.
 */
package io.entroq.api.codec;
