package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * How a worker works; see {@link WorkerBuilder} for what each means.
 *
 * @param <T> what values are decoded to
 */
record WorkerConfig<T>(
    EntroQ queue,
    Claim claim,
    ValueCodec<T> codec,
    Handler<T> handler,
    CommitPlan plan,
    int concurrency,
    int maxClaims,
    boolean claimWithCommit,
    Backoff requestBackoff,
    Duration drainTimeout,
    ThreadFactory threads,
    WorkerListener listener,
    Ticker ticker) {}
