package io.entroq.service.redrive;

import io.entroq.api.redrive.Batch;
import io.entroq.api.redrive.Pacer;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveResult;
import io.entroq.api.redrive.RefusedMove;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.ModifyDep;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

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
  private final SteppedCall listing = new SteppedCall();
  private final SteppedCall moving = new SteppedCall();
  private final List<Task> batch = new ArrayList<>();

  /** Of a batch that was refused as a whole. */
  private final Deque<List<Task>> parts = new ArrayDeque<>();

  private Task carried;
  private long batchBytes;
  private RedriveResult result = RedriveResult.NOTHING;
  private Instant now = Instant.EPOCH;
  private boolean isMoving;
  private boolean isListed;
  private boolean isEnding;
  private boolean isOver;

  /** The thread that passes a task; the listing continues when it returns. */
  private volatile Thread lister;

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
    this.pacer = new Pacer(plan.rate(), System::nanoTime, time -> {});
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
                Method.STREAM_TASKS, context, RedriveTerms.query(plan), new TasksReply()));
  }

  private void take(Task task) {
    boolean moves;
    synchronized (this) {
      if (isOver || isEnding) {
        return;
      }
      examine(task);
      isEnding |= System.nanoTime() - endNanos >= 0;
      moves = !isMoving && (isEnding || carried != null || batch.size() >= batchTasks());
      isMoving |= moves;
    }
    if (moves) {
      pace();
    }
  }

  private void examine(Task task) {
    io.entroq.api.Task read = RedriveTerms.task(task);
    boolean isMatch = plan.filter().matches(read, now);
    result = result.withExamined(isMatch);
    if (!isMatch) {
      return;
    }
    String target = plan.target(read).orElse("");
    if (target.isEmpty()) {
      result = result.withUnplaced();
    } else if (result.full().containsKey(target)) {
      result = result.withFull(target, 1);
    } else if (plan.isDryRun()) {
      isEnding = plan.isLimit(result.matched() - result.unplaced());
    } else {
      add(task);
      isEnding = plan.isLimit(result.moved() + batch.size() + (carried == null ? 0 : 1));
    }
  }

  /** A task that does not fit begins the next batch. */
  private void add(Task task) {
    if (!batch.isEmpty() && batchBytes + task.getSerializedSize() > BATCH_BYTES) {
      carried = task;
    } else {
      batch.add(task);
      batchBytes += task.getSerializedSize();
    }
  }

  private int batchTasks() {
    return pacer.batch(Redrive.BATCH_TASKS);
  }

  /** Moves the batch when its time has come; ends without it if that is too late. */
  private void pace() {
    long waitNanos;
    boolean isLate;
    synchronized (this) {
      waitNanos = batch.isEmpty() ? 0 : pacer.waitNanos(result.moved());
      isLate = waitNanos > 0 && System.nanoTime() + waitNanos - endNanos >= 0;
      if (isLate) {
        isEnding = true;
        batch.clear();
        carried = null;
      }
    }
    if (waitNanos > 0 && !isLate) {
      redrives.later(waitNanos, this::move);
    } else {
      move();
    }
  }

  private void move() {
    List<Task> tasks;
    synchronized (this) {
      if (isOver) {
        return;
      }
      tasks = List.copyOf(batch);
    }
    move(tasks);
  }

  private void move(List<Task> all) {
    List<Task> tasks;
    synchronized (this) {
      tasks = all.stream().filter(this::hasRoom).toList();
    }
    if (tasks.isEmpty()) {
      moved();
      return;
    }
    moving.step(
        () ->
            service.handle(
                Method.MODIFY, context, RedriveTerms.moves(plan, tasks), new MoveReply(tasks)));
  }

  /** Whether the queue of a task is not known to be full; counts the task if it is. */
  private boolean hasRoom(Task task) {
    String target = target(task);
    boolean isFull = result.full().containsKey(target);
    result = isFull ? result.withFull(target, 1) : result;
    return !isFull;
  }

  private String target(Task task) {
    return plan.target(RedriveTerms.task(task)).orElseThrow();
  }

  /** Continues after a batch, or a part of it. */
  private void moved() {
    List<Task> part;
    synchronized (this) {
      part = parts.poll();
    }
    if (part != null) {
      move(part);
      return;
    }
    boolean again;
    boolean ends;
    synchronized (this) {
      batch.clear();
      batchBytes = 0;
      if (carried != null) {
        batch.add(carried);
        batchBytes = carried.getSerializedSize();
        carried = null;
      }
      again = !batch.isEmpty() && (isEnding || isListed);
      ends = !again && (isEnding || isListed);
      isMoving = again;
    }
    if (again) {
      pace();
    } else if (ends) {
      end();
    } else if (lister != Thread.currentThread()) {
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
      response = RedriveTerms.response(result, isListed && !isEnding);
    }
    if (over()) {
      listing.cancel();
      reply.send(response);
    }
  }

  private void fail(Refusal refusal) {
    long moved;
    synchronized (this) {
      moved = result.moved();
    }
    if (over()) {
      listing.cancel();
      reply.fail(
          moved == 0
              ? refusal
              : new Refusal(
                  refusal.code(),
                  "%s (%,d tasks were already moved)".formatted(refusal.message(), moved),
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
      batch.clear();
      parts.clear();
      carried = null;
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
      lister = Thread.currentThread();
      try {
        response.getTasksList().forEach(RedriveCall.this::take);
      } finally {
        lister = null;
      }
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

  /** Gets the outcome of a Modify that moves tasks; repeats it without those that cannot move. */
  private final class MoveReply implements Reply<ModifyResponse> {
    private final List<Task> tasks;

    MoveReply(List<Task> tasks) {
      this.tasks = tasks;
    }

    @Override
    public void position(long position) {
      reply.position(position);
    }

    @Override
    public void send(ModifyResponse response) {
      count(new Batch(tasks.size(), 0, 0));
      moved();
    }

    @Override
    public void fail(Refusal refusal) {
      Map<String, ActionType> failed =
          refusal.dependencies().stream()
              .collect(
                  Collectors.toMap(
                      failure -> failure.getId().getId(), ModifyDep::getType, (a, b) -> a));
      List<Task> rest = tasks.stream().filter(task -> !failed.containsKey(task.getId())).toList();
      if (rest.size() == tasks.size()) {
        refusal.fullQueue().ifPresentOrElse(this::split, () -> RedriveCall.this.fail(refusal));
        return;
      }
      int held =
          (int) tasks.stream().filter(task -> failed.get(task.getId()) == ActionType.CLAIM).count();
      count(new Batch(0, held, tasks.size() - rest.size() - held));
      move(rest);
    }

    private void split(FullQueue fullQueue) {
      RefusedMove<Task> refused =
          RefusedMove.of(fullQueue.getQueue(), tasks, RedriveCall.this::target);
      synchronized (RedriveCall.this) {
        refused.full().ifPresent(full -> result = result.withFull(full, refused.stay().size()));
        // The smaller ones first: they find out soonest what still fits.
        for (int i = refused.parts().size() - 1; i >= 0 && !isOver; i--) {
          parts.push(refused.parts().get(i));
        }
      }
      moved();
    }

    private void count(Batch batch) {
      synchronized (RedriveCall.this) {
        result = result.with(batch);
      }
    }
  }
}
