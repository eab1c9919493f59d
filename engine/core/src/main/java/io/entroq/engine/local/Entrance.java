package io.entroq.engine.local;

import io.entroq.engine.request.Lanes;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.time.LogClock;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Where requests go into an engine of this process, as the API and the gateway need it. Any thread.
 *
 * @param handOver takes requests
 * @param lanes identities for claims
 * @param clock asked for estimates only
 * @param state whether requests are taken
 * @param lend lends the calling thread, see {@link io.entroq.engine.gateway.Gateway#lendThread}
 * @param afterReplies does something once the replies that are ready have been told of
 * @param nanoTime as {@link System#nanoTime()}
 */
public record Entrance(
    Submitter handOver,
    Lanes lanes,
    LogClock clock,
    EngineLifecycle state,
    Consumer<Executor> lend,
    Consumer<Runnable> afterReplies,
    LongSupplier nanoTime) {}
