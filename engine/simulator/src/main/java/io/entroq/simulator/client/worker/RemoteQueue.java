package io.entroq.simulator.client.worker;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.call.EncodedClient;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/**
 * The queue as one simulated process sees it, over the network. Supports the asynchronous methods
 * that workers use; inserts must name their ids. Nothing may block in a simulated world.
 *
 * <p>Stages of a future run in the event that completes it, and their exceptions are lost, so they
 * must only schedule further events.
 */
final class RemoteQueue implements EntroQ {
  /** How long a claim waits in the engine before it is repeated. */
  private static final long WAIT_MS = 25_000;

  private static final int FEW_SENDS = 4;
  private static final int SPARE_CALLERS = 8;

  private final WorkerContext context;
  private final ProcessLifetime life;
  private final SeededRandom random;
  private final int client;
  private final int modifySendsMax;
  private final String claimant;
  private final Deque<EncodedClient> callers = new ArrayDeque<>();
  private long troubledNs = -1;

  /**
   * @param modifySendsMax how often a modify is sent before the process gives up
   */
  RemoteQueue(
      WorkerContext context,
      ProcessLifetime life,
      SeededRandom random,
      int client,
      int modifySendsMax) {
    this.context = context;
    this.life = life;
    this.random = random;
    this.client = client;
    this.modifySendsMax = modifySendsMax;
    this.claimant = "worker " + client + "/" + Long.toHexString(random.next());
  }

  WorkerContext context() {
    return context;
  }

  ProcessLifetime life() {
    return life;
  }

  SeededRandom random() {
    return random;
  }

  int client() {
    return client;
  }

  /** A request was refused or not answered in time. */
  void troubled() {
    troubledNs = life.nowNs();
  }

  /** Whether nothing has disturbed this process since a time. */
  boolean isUndisturbedSince(long sinceNs) {
    return Math.max(troubledNs, Math.max(context.troubledNs(), life.stalledUntilNs())) < sinceNs;
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    throw unsupported();
  }

  @Override
  public String claimant() {
    return claimant;
  }

  @Override
  public WaitingClaim claimAsync(Claim claim) {
    WaitingClaim waiting = new WaitingClaim(claim);
    waiting.ask();
    return waiting;
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    CompletableFuture<ModifyResult> future = new CompletableFuture<>();
    List<TaskId> ids =
        modification.inserts().stream().map(Insert::id).map(Optional::orElseThrow).toList();
    EncodedClient caller = caller();
    DirectBuffer command = caller.modify(modification, ids);
    send(
        RecordType.MODIFY,
        command,
        modifySendsMax,
        new RetriedRequest.End() {
          @Override
          public void onResult(DirectBuffer result) {
            answer(future, () -> caller.modified(result));
            if (is(future, ModifyResult.OutcomeUnknown.class)) {
              forgotten();
              return;
            }
            callers.add(caller);
            if (is(future, ModifyResult.Committed.class)) {
              context.committed();
            }
          }

          @Override
          public void onGivenUp(boolean isNothingDone, boolean isFull) {
            future.completeExceptionally(
                isNothingDone ? refusal(isFull) : new EntroQException.OutcomeUnknown("no answer"));
          }
        });
    return future;
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    EncodedClient caller = caller();
    DirectBuffer command = caller.tasks(query);
    callers.add(caller);
    return read(Request.LIST_TASKS, command, caller::listed);
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    EncodedClient caller = caller();
    DirectBuffer command = caller.docs(query);
    callers.add(caller);
    return read(Request.LIST_DOCS, command, caller::listedDocs);
  }

  private <T> CompletableFuture<T> read(
      int type, DirectBuffer command, Function<DirectBuffer, T> answer) {
    CompletableFuture<T> future = new CompletableFuture<>();
    send(
        type,
        command,
        FEW_SENDS,
        new RetriedRequest.End() {
          @Override
          public void onResult(DirectBuffer result) {
            answer(future, () -> answer.apply(result));
          }

          @Override
          public void onGivenUp(boolean isNothingDone, boolean isFull) {
            future.completeExceptionally(refusal(isFull));
          }
        });
    return future;
  }

  /**
   * The identity that has been idle longest. It has not acknowledged its last reply, so a newly
   * opened engine gives back what it had claimed; there are enough identities for that to happen.
   */
  private EncodedClient caller() {
    if (callers.size() <= SPARE_CALLERS) {
      callers.addFirst(new EncodedClient(random.next() | 1, random.next(), claimant));
    }
    return callers.poll();
  }

  private static boolean is(
      CompletableFuture<ModifyResult> answered, Class<? extends ModifyResult> what) {
    return !answered.isCompletedExceptionally() && what.isInstance(answered.join());
  }

  /** The engine has forgotten one identity, so probably all older ones too. */
  private void forgotten() {
    callers.clear();
    troubled();
  }

  private RetriedRequest send(
      int type, DirectBuffer command, int sendsMax, RetriedRequest.End end) {
    RetriedRequest request = new RetriedRequest(this, type, command, sendsMax, end);
    request.send();
    return request;
  }

  private static EntroQException refusal(boolean isFull) {
    return isFull
        ? new EntroQException.ResourceExhausted("no room")
        : new EntroQException.Unavailable("nobody there");
  }

  private <T> void answer(CompletableFuture<T> future, Supplier<T> answer) {
    T value;
    try {
      value = understood(answer);
    } catch (EntroQException e) {
      future.completeExceptionally(e);
      return;
    }
    future.complete(value);
  }

  private <T> T understood(Supplier<T> answer) {
    try {
      return answer.get();
    } catch (IllegalStateException e) {
      throw Invariant.REQUESTS_ARE_UNDERSTOOD.broken(claimant, "an answer", e.getMessage());
    }
  }

  /** A claim that is repeated until it gets a task or is cancelled. */
  final class WaitingClaim extends CompletableFuture<List<Task>> implements RetriedRequest.End {
    private final Claim claim;
    private EncodedClient caller;
    private RetriedRequest request;
    private long sentNs;

    private WaitingClaim(Claim claim) {
      this.claim = claim;
    }

    private void ask() {
      caller = caller();
      sentNs = life.nowNs();
      DirectBuffer command = caller.claim(claim, context.nowMs() + WAIT_MS);
      request = send(RecordType.CLAIM, command, Integer.MAX_VALUE, this);
    }

    /** When it was last repeated, in nanoseconds since the world began. */
    long sentNs() {
      return sentNs;
    }

    @Override
    public void onResult(DirectBuffer result) {
      List<Task> tasks;
      try {
        tasks = understood(() -> caller.claimed(result));
      } catch (EntroQException.OutcomeUnknown e) {
        forgotten();
        completeExceptionally(e);
        return;
      } catch (EntroQException e) {
        callers.add(caller);
        completeExceptionally(e);
        return;
      }
      callers.add(caller);
      if (tasks.isEmpty()) {
        ask();
      } else {
        complete(tasks);
      }
    }

    @Override
    public void onGivenUp(boolean isNothingDone, boolean isFull) {
      completeExceptionally(refusal(isFull));
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      boolean isCancelled = super.cancel(mayInterrupt);
      if (isCancelled) {
        request.abandon();
        send(RecordType.CANCEL, caller.cancel(), FEW_SENDS, Silent.SILENT);
      }
      return isCancelled;
    }
  }

  /** Ignores the end of a cancel. */
  private enum Silent implements RetriedRequest.End {
    SILENT;

    @Override
    public void onResult(DirectBuffer result) {}

    @Override
    public void onGivenUp(boolean isNothingDone, boolean isFull) {}
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    throw unsupported();
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    throw unsupported();
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    throw unsupported();
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    throw unsupported();
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    throw unsupported();
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    throw unsupported();
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("workers do without it");
  }

  /** Ends with the process. */
  @Override
  public void close() {}
}
