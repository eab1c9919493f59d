package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Locale;

/** A client with something to do, and the callers that it uses one after another. */
abstract class Actor {
  /** The purpose of a cancel, whose answer says nothing new. */
  static final int CANCEL = -1;

  /** Nobody waits for longer than this for a lease to end. */
  private static final long AIM_MS_MAX = 30_000;

  final ClientContext context;
  final SeededRandom random;
  private final int index;
  private final boolean isIdentified;
  private final boolean isV0;
  private Caller caller;

  /** Its place among those that wait for their turn; below 0: it does not. */
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

  /** The process that is this client now. */
  final Caller caller() {
    return caller;
  }

  /** From now on it is another process, of which nobody has heard. */
  final void renew() {
    caller = new Caller(context, this, index, isIdentified, isV0, random);
  }

  final void join(IdlePool joined) {
    pool = joined;
    refresh();
  }

  /** It may have begun or ceased to want a turn. */
  final void refresh() {
    if (isIdle() && caller.mayCall()) {
      pool.add(this);
    } else {
      pool.remove(this);
    }
  }

  /** Its turn, which it has waited for. */
  final void step() {
    act();
    refresh();
  }

  /**
   * Does something such that it is decided in the millisecond in which a lease ends, or in the one
   * before or after, as nearly as can be; unless it is another process by then.
   *
   * @return false if that is too far ahead
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

  /** Cancels a claim of the present caller that waits. */
  final void cancel(Call claim) {
    claim.isCancelled = true;
    context.draft.cancel(caller, claim.number, CANCEL);
  }

  /** Whether it has nothing under way. */
  boolean isAtRest() {
    return caller.underWay() == 0;
  }

  /** For reports. */
  @Override
  public final String toString() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + index;
  }

  /** Whether it wants to make a request of its own accord; most do one thing after the other. */
  boolean isIdle() {
    return isAtRest();
  }

  /** Makes such a request. */
  abstract void act();

  /**
   * The answer to a call of the present caller, checked already.
   *
   * @param result valid until the next call of anything that reads replies
   * @param claimed the tasks that it gives away
   */
  abstract void onAnswer(Call call, ResultDecoder result, KnownTask[] claimed);

  /**
   * Nobody is going to say what became of a call of the present caller. Most need not mind: a call
   * with an identity is answered in the end, and what others leave a sweeper finds.
   */
  void onUnknown(Call call) {}

  /** The engine does not know the caller any more, and may. */
  void onForgotten() {
    caller.die();
    renew();
    refresh();
  }
}
