package io.entroq.simulator.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.log.LogException;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.IdentityHashMap;
import org.agrona.DirectBuffer;

/**
 * Readers of the feeds of a cluster's members. One stays at each member while that lives. Another
 * goes from member to member: when its member dies, when the member no longer has what follows, and
 * at random, often in the middle of a step. At the next one it resumes with its position, whether
 * that member is ahead, behind, or has begun with a snapshot of another; what is not in memory
 * there it reads from the member's history. Checks the same as {@link FeedWatch}, and that all
 * members tell the same. One thread.
 */
public final class MemberFeedWatch {
  private static final int RING_BYTES_LEAST = 1 << 16;
  private static final int RING_SIZES = 5;
  private static final int POLL_BYTES = 1 << 16;
  private static final int LEAVE_ONE_IN = 400;
  private static final int COME_ONE_IN = 3;
  private static final int COME_AT_ONCE_ONE_IN = 2;
  private static final int REST_ONE_IN = 16;
  private static final int REST_BEATS_MAX = 30_000;
  private static final int CUT_ONE_IN = 2;
  private static final int CUT_EFFECTS_MAX = 100;
  private static final int COMPARE_ONE_IN = 200;

  /** Reading the history takes as long as thousands of steps. */
  private static final int HISTORY_ONE_IN = 12_000;

  /** So many members in a row may have no history that goes back far enough. */
  private static final int GONE_MAX = 6;

  private final SeededRandom random;
  private final FollowedFeed followed;
  private final ToldSteps told;
  private final KeptRecords records = new KeptRecords();
  private final IdentityHashMap<FeedMember, Resident> residents = new IdentityHashMap<>();

  /** The member where the reader is; null while it is nowhere. */
  private FeedMember place;

  /** Where the reader goes next; null if it goes anywhere. */
  private FeedMember next;

  private FeedReader reader;

  /** It breaks off after so many effects. */
  private int effectsLeft;

  private int restBeats;
  private int gone;
  private long moves;

  public MemberFeedWatch(SeededRandom random) {
    this.random = random;
    followed = new FollowedFeed(random);
    told = followed.told();
  }

  /** The size of the next member's ring, often so small that readers are overtaken. */
  public int ringBytes() {
    return RING_BYTES_LEAST << random.below(RING_SIZES);
  }

  /** How often the reader has resumed at a member. */
  public long moves() {
    return moves;
  }

  /** A member has made a record, and applies it next. */
  public void onRecord(
      FeedMember member,
      int type,
      long sequence,
      long timeMs,
      int crc,
      DirectBuffer payload,
      int offset,
      int length) {
    records.add(type, sequence, timeMs, crc, payload, offset, length);
    residents.get(member).refuseEarly();
  }

  /** No member needs older records any more. */
  public void forgetBefore(long sequence) {
    records.forgetBefore(sequence);
  }

  /** A member's life begins. */
  public void onBegun(FeedMember member) {
    residents.put(member, new Resident(member));
    if (random.oneIn(COME_AT_ONCE_ONE_IN)) {
      // It is behind at first, or does not reach back to where a reader was that has rested.
      if (place != null) {
        leave();
      }
      restBeats = 0;
      next = member;
    }
  }

  /** A member runs: reads what there is. */
  public void onBeat(FeedMember member) {
    residents.get(member).read();
    if (restBeats > 0) {
      restBeats--;
    } else if (place == null && isWanted(member)) {
      settle(member);
    }
    if (place == member) {
      readHere();
    }
    followed.remember(member.machine());
    if (random.oneIn(COMPARE_ONE_IN)) {
      compare(member);
    }
    if (random.oneIn(HISTORY_ONE_IN)) {
      compareHistory(member);
    }
  }

  private boolean isWanted(FeedMember member) {
    boolean isBehind = member.committed() < told.wholeStep();
    return next == null ? isBehind || random.oneIn(COME_ONE_IN) : next == member;
  }

  /** A member's life ends. */
  public void onEnd(FeedMember member) {
    if (next == member) {
      next = null;
    }
    if (place == member) {
      leave();
    }
    residents.remove(member).close();
  }

  /** Compares everything that a member has told. */
  public void count(FeedMember member) {
    onBeat(member);
    compare(member);
    compareHistory(member);
  }

  private void compare(FeedMember member) {
    followed.compareState(member.machine());
    residents.get(member).compare();
  }

  // The reader that goes from member to member.

  private void settle(FeedMember member) {
    place = member;
    next = null;
    effectsLeft = random.oneIn(CUT_ONE_IN) ? 1 + random.below(CUT_EFFECTS_MAX) : Integer.MAX_VALUE;
    open();
    moves++;
  }

  private void open() {
    reader = place.feed().open(followed.request(told.resume(place.logId())));
  }

  private void leave() {
    reader.close();
    reader = null;
    place = null;
    restBeats = random.oneIn(REST_ONE_IN) ? random.below(REST_BEATS_MAX) : 0;
  }

  private void readHere() {
    told.bound(place.committed());
    Taking taking = new Taking();
    while (effectsLeft > 0 && reader.poll(taking, POLL_BYTES) > 0) {
      gone = 0;
    }
    FeedEnd end = reader.ended().orElse(null);
    if (end != null) {
      onReaderEnd(end);
    } else if (effectsLeft == 0 || random.oneIn(LEAVE_ONE_IN)) {
      leave();
    }
  }

  /** Takes effects until the reader breaks off, and nothing after that. */
  private final class Taking implements EffectConsumer {
    @Override
    public void onEffect(EffectReader effect) {
      if (effectsLeft > 0) {
        effectsLeft--;
        told.onEffect(effect);
      }
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      if (effectsLeft > 0) {
        told.onMark(sequence, logTimeMs);
      }
    }
  }

  private void onReaderEnd(FeedEnd end) {
    switch (end.reason()) {
      case OUT_OF_RANGE -> catchUp();
      case FUTURE -> {
        Invariant.FEED_IS_HISTORY.require(
            told.resume(null).sequence() > place.committed(),
            place,
            "it has come to @" + told.resume(null).sequence(),
            end);
        leave();
      }
      default -> throw Invariant.FEED_IS_HISTORY.broken(place, "a feed that goes on", end);
    }
  }

  /** Reads from the history of the member what follows there; if it does not reach back, leaves. */
  private void catchUp() {
    FeedMember member = place;
    leave();
    try (CopiedHistory history = history(member)) {
      if (told.wholeStep() < history.first()) {
        onGone(member);
        return;
      }
      FeedRequest.Start.After after = told.resume(null);
      if (told.wholeStep() < member.committed()) {
        followed.read(history, told.wholeStep(), member.committed(), new Resuming(after, told));
      }
      gone = 0;
    } catch (LogException e) {
      requireExcuse(member, e);
    }
    settle(member);
  }

  /** Leaves out effects of a step that were told before. */
  private record Resuming(FeedRequest.Start.After after, EffectConsumer next)
      implements EffectConsumer {
    @Override
    public void onEffect(EffectReader effect) {
      if (effect.step().sequence() > after.sequence() || effect.index() > after.index()) {
        next.onEffect(effect);
      }
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      next.onMark(sequence, logTimeMs);
    }
  }

  /** If no member keeps what follows, the reader begins with a state, as it would in earnest. */
  private void onGone(FeedMember member) {
    gone++;
    if (gone > GONE_MAX) {
      gone = 0;
      followed.restart(member.machine());
    }
  }

  private void requireExcuse(FeedMember member, LogException e) {
    Invariant.FEED_IS_HISTORY.require(
        member.isDamaged(), member, "a history that can be read", e.toString());
    followed.restart(member.machine());
  }

  // The history of a member.

  private void compareHistory(FeedMember member) {
    try (CopiedHistory history = history(member)) {
      if (history.first() <= member.committed()) {
        followed.compareHistory(history, member.committed());
      }
    } catch (LogException e) {
      Invariant.FEED_IS_HISTORY.require(
          member.isDamaged(), member, "a history that can be read", e.toString());
    }
  }

  private CopiedHistory history(FeedMember member) {
    return new CopiedHistory(member.disk(), member.directory(), records, member.committed());
  }

  // The readers that stay.

  private final class Resident {
    private final FeedMember member;
    private final ToldSteps told = new ToldSteps(ToldSteps.STEPS_KEPT, ToldSteps.NOBODY);
    private FeedReader live;

    /** Comes with a position of before the member's snapshot; null if there is none. */
    private FeedReader early;

    Resident(FeedMember member) {
      this.member = member;
      open();
      int base = Math.toIntExact(member.committed());
      if (base > 0) {
        FeedRequest.Start before =
            new FeedRequest.Start.After(random.below(base), Integer.MAX_VALUE, null);
        early = member.feed().open(FeedRequest.all(before));
      }
    }

    private void open() {
      live = member.feed().open(followed.request(new FeedRequest.Start.Now()));
      told.restart(member.machine().sequence());
    }

    void read() {
      told.bound(member.committed());
      while (live.poll(told, POLL_BYTES) > 0) {
        // All of it.
      }
      live.ended()
          .ifPresent(
              end -> {
                Invariant.FEED_IS_HISTORY.require(
                    end.reason() == FeedEnd.Reason.OUT_OF_RANGE,
                    member,
                    "no end, or one because it was overtaken",
                    end);
                live.close();
                open();
              });
    }

    /** The member has no log of what was before its snapshot, so it tells of nothing after that. */
    void refuseEarly() {
      if (early == null) {
        return;
      }
      int told = early.poll(ToldSteps.NOBODY, POLL_BYTES);
      Invariant.FEED_IS_HISTORY.require(
          told == 0, member, "nothing for who has not seen its snapshot", told + " effects");
      early
          .ended()
          .ifPresent(
              end -> {
                Invariant.FEED_IS_HISTORY.require(
                    end.reason() == FeedEnd.Reason.OUT_OF_RANGE, member, "no longer kept", end);
                early.close();
                early = null;
              });
    }

    /** Members tell the same of the same steps. */
    void compare() {
      ToldSteps roaming = followed.told();
      long after = Math.max(roaming.first(), told.first()) - 1;
      long until = Math.min(roaming.wholeStep(), told.wholeStep());
      if (after < until) {
        roaming.requireSame(Invariant.REPLICAS_AGREE, told, after, until);
      }
    }

    void close() {
      live.close();
      if (early != null) {
        early.close();
      }
    }
  }
}
