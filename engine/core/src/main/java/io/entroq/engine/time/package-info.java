/**
 * Log time: a clock that never goes back and follows the wall clock slowly, and one that tests move
 * by hand.
 *
 * <p>Only the runtime around the state machine reads a clock. The state machine knows no time but
 * that of the record it applies.
 */
package io.entroq.engine.time;
