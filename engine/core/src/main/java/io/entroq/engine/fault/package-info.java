/**
 * Hooks at the points where a crash matters most, so that tests can crash the engine there.
 *
 * <p>These two types are a package of their own because the log, maintenance and the engine all
 * call the hook, and none of these should depend on another for it.
 *
 * <p>The hook runs on the thread that reaches the point: the applying, forcing or snapshot-writing
 * one.
 */
package io.entroq.engine.fault;
