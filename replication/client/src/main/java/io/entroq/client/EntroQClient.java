package io.entroq.client;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.api.feed.FeedSource;
import io.entroq.api.spi.TimeLimitedQueue;
import io.entroq.client.transport.Channels;
import io.entroq.client.transport.Transport;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.Times;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A task queue on a server.
 *
 * <pre>{@code
 * try (EntroQ queue = EntroQClient.connect("localhost:37706")) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>Requests are retried until they are answered or the time of the {@link ClientConfig} is up.
 * EntroQ for the JVM applies a repeated request once and repeats the answer, so a lost connection
 * or a restart leaves no doubt. Other servers do not, so modifications are not retried there; if a
 * reply is lost, the outcome is {@link ModifyResult.OutcomeUnknown}.
 *
 * <p>Thread-safe. Futures complete on connection threads: dependent stages without an executor must
 * be quick and must not wait for this queue.
 */
public final class EntroQClient implements EntroQ, FeedSource {
  private final ServerConnector connector;
  private final String claimant;
  private final long timeoutMs;

  /** Whether the caller of {@link #withTimeout} has set the time, so that claims end, too. */
  private final boolean endsWaits;

  private EntroQClient(
      ServerConnector connector, String claimant, long timeoutMs, boolean endsWaits) {
    this.connector = connector;
    this.claimant = claimant;
    this.timeoutMs = timeoutMs;
    this.endsWaits = endsWaits;
  }

  /**
   * Connects to a server or to a cluster.
   *
   * @param address {@code host:port}, or several members separated by commas; the default port is
   *     37706
   * @throws EntroQException.InvalidArgument if the address is malformed
   * @throws EntroQException.Unavailable if no server answers
   */
  public static EntroQClient connect(String address) {
    return connect(ClientConfig.to(address).build());
  }

  /**
   * Connects to a server or to a cluster, and reads its features.
   *
   * @throws EntroQException.InvalidArgument if a key or certificate file cannot be read
   * @throws EntroQException.Unavailable if no server answers in time
   * @throws EntroQException.PermissionDenied if the server rejects the client
   */
  public static EntroQClient connect(ClientConfig config) {
    EntroQClient client = connectLazily(config);
    try {
      await(client.connector.connect(config.connectTimeout().toMillis()));
      return client;
    } catch (Throwable t) {
      client.close();
      throw t;
    }
  }

  /** {@link #connectLazily(ClientConfig)} with default settings. */
  public static EntroQClient connectLazily(String address) {
    return connectLazily(ClientConfig.to(address).build());
  }

  /**
   * A client that connects when it is first used, and so can be created while the server is away.
   * From then on it tries until a server answers. With several addresses it begins to look for a
   * server at once, in the background. A call waits for that as part of its time, the {@linkplain
   * ClientConfig#callTimeout() call timeout} or that of {@link #withTimeout}, and a feed as long as
   * it takes. A call that is out of time fails with {@link EntroQException.Unavailable}, which says
   * why there is no connection; nothing was done. If a server rejects the client, the calls that
   * wait fail, and the next call tries again. {@link #hasPolicies} and {@link #hasPools} connect,
   * too.
   *
   * @throws EntroQException.InvalidArgument if a key or certificate file cannot be read
   */
  public static EntroQClient connectLazily(ClientConfig config) {
    UnaryTransport calls =
        new UnaryTransport(channels(config), config.authorization(), config.asOf());
    String claimant = claimant(config);
    return of(
        config,
        claimant,
        config.channels().addresses().size() == 1
            ? ServerConnector.toOne(config, claimant, calls)
            : ServerConnector.toAny(config, claimant, calls));
  }

  /** A client over a given transport, which it closes. For tests. */
  static EntroQClient over(ClientConfig config, Transport transport) {
    String claimant = claimant(config);
    return of(config, claimant, ServerConnector.over(config, claimant, transport));
  }

  /** A client by a given connector, which it closes. */
  static EntroQClient of(ClientConfig config, String claimant, ServerConnector connector) {
    return new EntroQClient(connector, claimant, config.callTimeout().toMillis(), false);
  }

  private static String claimant(ClientConfig config) {
    return config.claimant().isEmpty() ? Ids.randomV1().v1Text() : config.claimant();
  }

  private static Channels channels(ClientConfig config) {
    try {
      return Channels.open(config.channels());
    } catch (IOException | IllegalArgumentException e) {
      throw new EntroQException.InvalidArgument("keys or certificates: " + e.getMessage(), e);
    }
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private <T> CompletableFuture<T> call(Function<ServerCalls, CompletableFuture<T>> request) {
    ServerConnection server = connector.connection();
    if (server != null) {
      return request.apply(calls(server, timeoutMs));
    }
    long startNs = System.nanoTime();
    CompletableFuture<ServerConnection> known = connector.connect(timeoutMs);
    CompletableFuture<T> result =
        known.thenCompose(
            connected -> request.apply(calls(connected, Math.max(1, timeoutMs - since(startNs)))));
    endWith(result, known);
    return result;
  }

  /** Nothing is kept of a call that its caller has given up before there is a connection. */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained only ends the wait.
  private static void endWith(
      CompletableFuture<?> result, CompletableFuture<ServerConnection> known) {
    result.whenComplete((value, failure) -> known.cancel(false));
  }

  private ServerCalls calls(ServerConnection server, long leftMs) {
    return new ServerCalls(server, leftMs, endsWaits);
  }

  private static long since(long startNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  private ServerConnection connected() {
    ServerConnection server = connector.connection();
    return server != null ? server : await(connector.connect(timeoutMs));
  }

  @Override
  public String claimant() {
    return claimant;
  }

  @Override
  public EntroQClient withTimeout(Duration timeout) {
    return new EntroQClient(connector, claimant, TimeLimitedQueue.toMs(timeout), true);
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    ServerConnection server = connector.connection();
    return server != null ? calls(server, timeoutMs).claimAsync(claim) : claimOnceConnected(claim);
  }

  /** As with any claim, a cancel ends it: before it is sent, or at the server. */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained tells the result.
  private CompletableFuture<List<Task>> claimOnceConnected(Claim claim) {
    long startNs = System.nanoTime();
    boolean isWaiting = !claim.maxWait().isZero() && !claim.waitsForever();
    long maxWaitMs = isWaiting ? Math.max(1, Times.toMs(claim.maxWait())) : Long.MAX_VALUE;
    CompletableFuture<ServerConnection> known = connector.connect(Math.min(timeoutMs, maxWaitMs));
    CompletableFuture<List<Task>> result = new CompletableFuture<>();
    known.whenComplete(
        (server, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (!result.isDone()) {
            long passedMs = since(startNs);
            Claim rest =
                isWaiting
                    ? claim.withMaxWait(Duration.ofMillis(Math.max(1, maxWaitMs - passedMs)))
                    : claim;
            CompletableFuture<List<Task>> sent =
                calls(server, Math.max(1, timeoutMs - passedMs)).claimAsync(rest);
            if (!claim.maxWait().isZero()) {
              // Another one is not ended by that: its answer would be lost.
              result.whenComplete((tasks, end) -> sent.cancel(false));
            }
            forward(sent, result);
          }
        });
    endWith(result, known);
    return result;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // As above; a lease ends by itself, too.
  private void forward(CompletableFuture<List<Task>> claim, CompletableFuture<List<Task>> result) {
    claim.whenComplete(
        (tasks, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (!result.complete(tasks) && !tasks.isEmpty()) {
            // Answered and cancelled at the same time: nobody works on them.
            modifyAsync(Modification.release(tasks));
          }
        });
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return call(calls -> calls.tryClaimAsync(claim));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return call(calls -> calls.modifyAsync(modification));
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return call(calls -> calls.tasksAsync(query));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    calls(connected(), timeoutMs).forEachTask(query, consumer);
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return call(calls -> calls.queuesAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return call(calls -> calls.queueStatsAsync(query));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return call(calls -> calls.claimDocsAsync(claim));
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return call(calls -> calls.docsAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return call(calls -> calls.namespacesAsync(query));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return call(ServerCalls::timeAsync);
  }

  @Override
  public boolean hasPolicies() {
    return connected().hasPolicies();
  }

  @Override
  public boolean hasPools() {
    return connected().hasPools();
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return call(
        calls -> calls.policyEntriesAsync(query, () -> EntroQ.super.policyEntriesAsync(query)));
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return call(calls -> calls.positionAsync(task, () -> EntroQ.super.positionAsync(task)));
  }

  /**
   * {@inheritDoc} It resumes by itself after a lost connection, at another member if need be, until
   * it is closed.
   */
  @Override
  public FeedCursor openFeed(FeedQuery query) {
    Dispatcher dispatcher = connector.dispatcher();
    if (dispatcher.isClosed()) {
      throw Dispatcher.closed();
    }
    return new FeedCall(dispatcher, query).start(connector.connect());
  }

  /** {@inheritDoc} Of the server that is in use. */
  @Override
  public FeedRange feedRange() {
    return await(call(ServerCalls::feedRangeAsync));
  }

  /**
   * Fails open requests with {@link EntroQException.Closed}, cancels waiting claims at the server,
   * and closes the connections. The outcome of a write that was sent is then unknown.
   */
  @Override
  public void close() {
    connector.close();
  }
}
