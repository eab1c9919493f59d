/**
 * What every {@link io.entroq.api.EntroQ} does alike, as a test to be run over each of them.
 *
 * <p>Extend {@link io.entroq.api.conformance.EntroQConformance} in the module of the
 * implementation; the classes are in the test jar of {@code entroq-api}.
 */
package io.entroq.api.conformance;
