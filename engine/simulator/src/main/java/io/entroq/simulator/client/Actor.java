package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Locale;

/** A client and its processes, one after another. */
abstract class Actor {
  /** The purpose of a cancel, whose answer is ignored. */
  static final int CANCEL = -1;

  /** The longest wait for the end of a lease. */
  private static final long AIM_MS_MAX = 30_000;

  final ClientContext context;
  final SeededRandom random;
  private final int index;
  private final boolean isIdentified;
  private final boolean isV0;
  private Caller caller;

  /** Its index in the pool of idle actors, or {@link IdlePool#NOT_IN_POOL}. */
  int poolIndex = IdlePool.NOT_IN_POOL;

  private IdlePool pool;

  Actor(ClientContext context, SeededRandom random, int index, boolean isIdentified, boolean isV0) {
    this.context = context;
    this.random = random;
    this.index = index;
    this.isIdentified = isIdentified;
    this.isV0 = isV0;
    renew();
  }

  /** The client's current process. */
  final Caller caller() {
    return caller;
  }

  /** Starts a new process that the engine does not know. */
  final void renew() {
    caller = new Caller(context, this, index, isIdentified, isV0, random);
  }

  final void join(IdlePool joined) {
    pool = joined;
    refresh();
  }

  /** Updates whether the actor is idle. */
  final void refresh() {
    if (isIdle() && caller.mayCall()) {
      pool.add(this);
    } else {
      pool.remove(this);
    }
  }

  /** Acts when it is chosen from its pool. */
  final void step() {
    act();
    refresh();
  }

  /**
   * Schedules an action so that its request is executed in the millisecond in which a lease ends,
   * or the one before or after, unless the process has been replaced by then.
   *
   * @return false if the end is too far ahead
   */
  final boolean aim(long endMs, Runnable next) {
    if (endMs - context.logTime.nowMs() > AIM_MS_MAX) {
      return false;
    }
    Caller now = caller;
    context.events.in(
        context.logTime.aimNs(endMs + random.between(-1, 1)),
        () -> {
          if (now == caller && !now.isDead()) {
            next.run();
            refresh();
          }
        });
    return true;
  }

  /** Cancels a waiting claim of the current process. */
  final void cancel(Call claim) {
    claim.isCancelled = true;
    context.draft.cancel(caller, claim.number, CANCEL);
  }

  /** Whether it has no open requests. */
  boolean isAtRest() {
    return caller.underWay() == 0;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + index;
  }

  /** Whether it wants to start something new. */
  boolean isIdle() {
    return isAtRest();
  }

  /** Starts something new. */
  abstract void act();

  /**
   * Handles a checked answer to a call of the current process.
   *
   * @param result valid during the call
   * @param claimed the tasks that it claims
   */
  abstract void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed);

  /**
   * The outcome of a call of the current process stays unknown. Most actors ignore that: calls with
   * an identity are answered eventually, and sweepers find the leftovers of others.
   */
  void onUnknown(Call call) {}

  /** The engine has forgotten the process, which it may do. */
  void onForgotten() {
    caller.die();
    renew();
    refresh();
  }
}
