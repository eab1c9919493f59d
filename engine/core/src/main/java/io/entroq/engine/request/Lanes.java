package io.entroq.engine.request;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * The lanes of one opening of an engine; any thread. There are as many as claims have waited at
 * once.
 */
public final class Lanes {
  private final long incarnation;
  private final AtomicLong made = new AtomicLong();
  private final ManyToManyConcurrentArrayQueue<Lane> free;

  /**
   * @param incarnation random, not 0: distinguishes this opening from every other
   * @param lanesMax how many claims may wait at once
   */
  public Lanes(long incarnation, int lanesMax) {
    this.incarnation = incarnation;
    this.free = new ManyToManyConcurrentArrayQueue<>(Math.max(2, lanesMax));
  }

  /** Takes a free lane, with the number of its next claim. */
  public Lane take() {
    Lane lane = free.poll();
    if (lane == null) {
      lane = new Lane(incarnation, made.incrementAndGet());
    }
    lane.next();
    return lane;
  }

  /** How many lanes were ever made. */
  public long made() {
    return made.get();
  }

  /**
   * The state has forgotten the lane, as it does after very many other clients. It is not used
   * again.
   */
  public void drop(Lane lane) {
    lane.abandon();
  }

  /** The claim of the lane has its answer, or was canceled. */
  public void giveBack(Lane lane) {
    lane.arrived();
    if (!lane.isCallers()) {
      free.offer(lane);
    }
  }
}
