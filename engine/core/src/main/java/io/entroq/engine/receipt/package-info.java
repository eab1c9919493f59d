/**
 * Clients that identify their requests, and a receipt for each request whose reply may not have
 * arrived, so that a retry gets the first answer.
 *
 * <p>Called by the state machine only, on the thread that applies commands.
 */
package io.entroq.engine.receipt;
