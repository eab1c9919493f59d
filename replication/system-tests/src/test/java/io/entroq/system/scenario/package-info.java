/**
 * Trials: a {@link io.entroq.system.scenario.Trial} injects {@link
 * io.entroq.system.scenario.Fault}s into a cluster while callers work on it, and then checks the
 * history, the members and the queues. One thread runs a trial.
 */
package io.entroq.system.scenario;
