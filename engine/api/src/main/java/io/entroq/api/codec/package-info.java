/**
 * Codecs between values of tasks and objects of a program. They are thread-safe and do no IO. Only
 * {@link io.entroq.api.codec.JacksonCodec} needs Jackson on the class path.
 */
package io.entroq.api.codec;
