package io.entroq.engine.local;

import io.entroq.engine.request.Lanes;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.time.LogClock;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where requests enter an engine of this process, for the API and the gateway. Any thread.
 *
 * @param submitter submits requests
 * @param lanes identities for claims
 * @param clock for estimates only
 * @param logId the id of the log, null before its first record; any thread may ask
 * @param level the behavior level of the log, 0 before its first record; any thread may ask
 * @param state whether requests are taken
 * @param lend lends the calling thread, see {@link io.entroq.engine.gateway.Gateway#lendThread}
 * @param afterReplies runs a task once the requests that are ready have been completed
 * @param nanoTime as {@link System#nanoTime()}
 */
public record Entrance(
    Submitter submitter,
    Lanes lanes,
    LogClock clock,
    Supplier<UUID> logId,
    IntSupplier level,
    EngineLifecycle state,
    Consumer<Executor> lend,
    Consumer<Runnable> afterReplies,
    LongSupplier nanoTime) {}
