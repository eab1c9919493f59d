/**
 * Copies what a server of EntroQ has into a queue, and compares the two.
 *
 * <p>A {@link io.entroq.tools.importing.Place} is a queue or a namespace on both sides; {@link
 * io.entroq.tools.importing.Copier} and {@link io.entroq.tools.importing.Comparison} go through
 * places, with no more than a batch in memory. A listing has no order that could be gone on in, so
 * what is at the target already is what a copy goes on from; {@link
 * io.entroq.tools.importing.ImportState} spares the places that are done.
 *
 * <p>For one thread. All of it ends with {@link io.entroq.tools.importing.EndedException} at the
 * next occasion when it is interrupted, with nothing half done.
 */
package io.entroq.tools.importing;
