/**
 * Results of commands, and queries, which are never logged. Decoders and encoders are generated
 * from {@code result.proto}, as in {@link io.entroq.codec.command}.
 *
 * <p>The engine encodes results; the code that answers callers decodes them. Not thread-safe, and
 * free of allocation in steady state. Only two types are here, because all others are generated.
 */
package io.entroq.codec.result;
