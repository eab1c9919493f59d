/**
 * The base of all flyweights: a protobuf reader and writer over Agrona buffers, ids, identities,
 * and rules for them.
 *
 * <p>Used by the generated decoders and encoders of {@link io.entroq.codec.command} and {@link
 * io.entroq.codec.result}; callers use ids, slices and enum constants. Not thread-safe, and free of
 * allocation in steady state. {@code IdDecoder}, {@code IdentityDecoder}, {@code ValueKinds} and
 * {@code Facades} are generated from {@code common.proto}.
 */
package io.entroq.codec.message;
