package io.entroq.service.redrive;

import io.entroq.api.redrive.Batch;
import io.entroq.api.redrive.Pacer;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveBatches;
import io.entroq.api.redrive.RedriveBatches.Move;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A redrive that runs: reads the time, then lists the dead queue, and moves a batch whenever one is
 * full. Meanwhile the listing waits, so at most a batch and a page are in memory.
 *
 * <p>The parts of the listing and of the moves run on different threads, one part of each at a
 * time; what they share is guarded by this. Other calls are made without that lock.
 */
final class RedriveCall implements Call {
  /** How long a call takes at most; a client that has waited so long wants to see the progress. */
  private static final long TIME_MAX_NS = TimeUnit.SECONDS.toNanos(30);

  /** A batch with several tasks is smaller than the one of a client, since servers run several. */
  private static final int BATCH_BYTES = 1 << 20;

  /** The headers that the calls need after this was started. */
  private static final Set<String> HEADERS = Set.of("authorization", MinPosition.HEADER);

  private final Service service;
  private final CallContext context;
  private final Redrive plan;
  private final Redrives redrives;
  private final Reply<RedriveResponse> reply;
  private final long endNanos;
  private final Pacer pacer;
  private final RedriveBatches<Task> batches;
  private final SteppedCall listing = new SteppedCall();
  private final SteppedCall moving = new SteppedCall();
  private Instant now = Instant.EPOCH;
  private boolean isMoving;
  private boolean isListed;
  private boolean isEnding;
  private boolean isOver;

  RedriveCall(
      Service service,
      CallContext context,
      Redrive plan,
      Redrives redrives,
      Reply<RedriveResponse> reply) {
    this.service = service;
    this.context = context.held(HEADERS);
    this.plan = plan;
    this.redrives = redrives;
    this.reply = reply;
    this.endNanos = endNanos(context);
    this.pacer = new Pacer(plan.rate(), System::nanoTime);
    this.batches = new RedriveBatches<>(plan, pacer.batch(Redrive.BATCH_TASKS), BATCH_BYTES);
  }

  /** Leaves a tenth of the caller's time for the last batch and the response. */
  private static long endNanos(CallContext context) {
    long begin = System.nanoTime();
    long left =
        context.deadlineNanos().isEmpty()
            ? TIME_MAX_NS
            : (context.deadlineNanos().getAsLong() - begin) / 10 * 9;
    return begin + Math.min(left, TIME_MAX_NS);
  }

  /** Starts with a call that authenticates the caller by all of its headers. */
  RedriveCall start(CallContext begun) {
    listing.step(
        () ->
            service.handle(Method.TIME, begun, TimeRequest.getDefaultInstance(), new TimeReply()));
    return this;
  }

  private void list(Instant time) {
    synchronized (this) {
      now = time;
    }
    listing.step(
        () ->
            service.handle(
                Method.STREAM_TASKS, context, RedriveMessages.query(plan), new TasksReply()));
  }

  private void take(Task task) {
    boolean moves;
    synchronized (this) {
      if (isOver || isEnding) {
        return;
      }
      io.entroq.api.Task read = RedriveMessages.task(task);
      boolean unused =
          batches.examine(plan.filter().matches(read, now), read, task, task.getSerializedSize());
      isEnding = batches.isDone() || System.nanoTime() - endNanos >= 0;
      moves = !isMoving && (isEnding || batches.isDue());
      isMoving |= moves;
    }
    if (moves) {
      pace();
    }
  }

  /** Begins a batch when its time has come; ends without it if that is too late. */
  private void pace() {
    long waitNanos;
    boolean isLate;
    synchronized (this) {
      waitNanos = batches.isEmpty() ? 0 : pacer.waitNanos(batches.result().moved());
      isLate = waitNanos > 0 && System.nanoTime() + waitNanos - endNanos >= 0;
      if (isLate) {
        isEnding = true;
        batches.clear();
      }
    }
    if (waitNanos > 0 && !isLate) {
      CompletableFuture.delayedExecutor(waitNanos, TimeUnit.NANOSECONDS).execute(this::begin);
    } else {
      begin();
    }
  }

  private void begin() {
    synchronized (this) {
      if (isOver) {
        return;
      }
      batches.begin();
    }
    move();
  }

  /** Moves what is next of the batch. */
  private void move() {
    List<Move<Task>> moves;
    synchronized (this) {
      moves = batches.next();
    }
    if (moves.isEmpty()) {
      moved();
    } else {
      moving.step(
          () ->
              service.handle(
                  Method.MODIFY,
                  context,
                  RedriveMessages.moves(plan, moves),
                  new MoveReply(moves)));
    }
  }

  /** Continues after a batch. */
  private void moved() {
    boolean again;
    boolean ends;
    synchronized (this) {
      isEnding |= batches.isDone();
      again = !batches.isEmpty() && (isEnding || isListed || batches.isDue());
      ends = !again && (isEnding || isListed);
      isMoving = again;
    }
    if (again) {
      pace();
    } else if (ends) {
      end();
    } else {
      listing.ready();
    }
  }

  private void listed() {
    boolean moves;
    synchronized (this) {
      isListed = true;
      moves = !isMoving;
      isMoving = true;
    }
    if (moves) {
      pace();
    }
  }

  private void end() {
    RedriveResponse response;
    synchronized (this) {
      response = RedriveMessages.response(batches.result(), isListed && !isEnding);
    }
    if (over()) {
      listing.cancel();
      reply.send(response);
    }
  }

  private void fail(Refusal refusal) {
    long moved;
    synchronized (this) {
      moved = batches.result().moved();
    }
    if (over()) {
      listing.cancel();
      reply.fail(
          moved == 0
              ? refusal
              : new Refusal(
                  refusal.code(),
                  "%s (already moved: %,d)".formatted(refusal.message(), moved),
                  refusal.details()));
    }
  }

  /** Ends this once, and gives its place back. */
  private boolean over() {
    synchronized (this) {
      if (isOver) {
        return false;
      }
      isOver = true;
      batches.clear();
    }
    redrives.end();
    return true;
  }

  @Override
  public void cancel() {
    if (over()) {
      listing.cancel();
      moving.cancel();
    }
  }

  /** Gets the time. */
  private final class TimeReply implements Reply<TimeResponse> {
    @Override
    public void position(long position) {
      // That of the last move counts.
    }

    @Override
    public void send(TimeResponse response) {
      list(Instant.ofEpochMilli(response.getTimeMs()));
    }

    @Override
    public void fail(Refusal refusal) {
      RedriveCall.this.fail(refusal);
    }
  }

  /** Gets the tasks of the dead queue, as fast as they move. */
  private final class TasksReply implements Reply<TasksResponse> {
    @Override
    public void position(long position) {
      // That of the last move counts.
    }

    @Override
    public boolean isReady() {
      synchronized (RedriveCall.this) {
        return !isMoving && !isOver;
      }
    }

    @Override
    public void send(TasksResponse response) {
      response.getTasksList().forEach(RedriveCall.this::take);
    }

    @Override
    public void complete() {
      listed();
    }

    @Override
    public void fail(Refusal refusal) {
      RedriveCall.this.fail(refusal);
    }
  }

  /** Gets the outcome of a Modify that moves tasks. */
  private final class MoveReply implements Reply<ModifyResponse> {
    private final List<Move<Task>> moves;

    MoveReply(List<Move<Task>> moves) {
      this.moves = moves;
    }

    @Override
    public void position(long position) {
      reply.position(position);
    }

    @Override
    public void send(ModifyResponse response) {
      synchronized (RedriveCall.this) {
        batches.count(new Batch(moves.size(), 0, 0));
      }
      move();
    }

    @Override
    public void fail(Refusal refusal) {
      if (skips(refusal) || splits(refusal)) {
        move();
      } else {
        RedriveCall.this.fail(refusal);
      }
    }

    /** Repeats it without the tasks that are claimed or have changed; false if that is not why. */
    private boolean skips(Refusal refusal) {
      Map<String, ActionType> failed = new HashMap<>();
      refusal.dependencies().forEach(each -> failed.put(each.getId().getId(), each.getType()));
      List<Move<Task>> rest = new ArrayList<>();
      int held = 0;
      for (Move<Task> move : moves) {
        ActionType why = failed.get(move.task().getId());
        if (why == null) {
          rest.add(move);
        } else if (why == ActionType.CLAIM) {
          held++;
        }
      }
      if (rest.size() == moves.size()) {
        return false;
      }
      synchronized (RedriveCall.this) {
        batches.count(new Batch(0, held, moves.size() - rest.size() - held));
        batches.repeat(rest);
      }
      return true;
    }

    /** Repeats it in parts; false if no queue is full. */
    private boolean splits(Refusal refusal) {
      synchronized (RedriveCall.this) {
        return refusal
            .fullQueue()
            .filter(full -> batches.split(moves, full.getQueue()))
            .isPresent();
      }
    }
  }
}
