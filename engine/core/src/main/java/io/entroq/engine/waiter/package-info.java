/**
 * Parked claims: claims that found nothing and wait inside the state, listed per queue in the order
 * in which they came, and by their deadlines.
 *
 * <p>Called by the state machine only, on the thread that applies commands.
 */
package io.entroq.engine.waiter;
