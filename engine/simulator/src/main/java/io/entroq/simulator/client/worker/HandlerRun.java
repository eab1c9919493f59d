package io.entroq.simulator.client.worker;

import io.entroq.api.worker.Outcome;
import java.util.function.Supplier;

/**
 * One run of a handler, as it will go.
 *
 * @param lastsNs how long it takes, in nanoseconds
 * @param stopsWhenLost whether it ends at once when it is told to
 * @param outcome what it returns, unless it throws, asked for at its end; null is what some return
 * @param failure what it throws; null: nothing
 */
record HandlerRun(
    long lastsNs, boolean stopsWhenLost, Supplier<Outcome> outcome, Throwable failure) {}
