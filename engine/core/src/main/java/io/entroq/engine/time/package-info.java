/**
 * Where log time comes from: a clock that never goes back and follows the wall clock slowly, and
 * one that is moved by hand for tests.
 *
 * <p>Only the runtime around the state machine reads a clock; the state machine itself knows no
 * time but that of the record it applies.
 */
package io.entroq.engine.time;
