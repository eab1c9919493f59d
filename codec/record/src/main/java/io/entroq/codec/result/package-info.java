/**
 * Results of commands, and queries, which are never logged. Decoders and encoders are generated
 * from {@code result.proto}, as in {@link io.entroq.codec.command}.
 *
 * <p>The engine encodes results; the code that answers callers decodes them. For one thread at a
 * time; nothing is allocated once they have grown. Only two types are here, because all others are
 * generated.
 */
package io.entroq.codec.result;
