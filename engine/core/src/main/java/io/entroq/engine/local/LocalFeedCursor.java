package io.entroq.engine.local;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.call.EffectResults;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The feed of an engine in this process, for callers of the API. */
public final class LocalFeedCursor implements FeedCursor, EffectConsumer {
  /** Taken from the reader at a time, in bytes of frames. */
  private static final int POLL_BYTES = 64 << 10;

  private static final int LOG_CHARS = 32;
  private static final int HEX = 16;

  private final EffectFeed feed;
  private final FeedReader reader;
  private final Supplier<UUID> logId;
  private final EffectResults results = new EffectResults();

  /** What was taken from the reader and not polled yet. */
  private final Queue<Taken> taken = new ArrayDeque<>();

  private Optional<FeedPosition> position = Optional.empty();

  /** Names the log in positions; empty while that is not known. */
  private String log = "";

  /** Whether the reader shows the state with which the feed begins. */
  private boolean isSnapshot;

  private boolean isComplete;

  /** Why it has failed; null if it has not. */
  private EntroQException failure;

  private volatile boolean isClosed;

  private LocalFeedCursor(
      EffectFeed feed, FeedReader reader, Supplier<UUID> logId, FeedQuery.Start start) {
    this.feed = feed;
    this.reader = reader;
    this.logId = logId;
    isSnapshot = start instanceof FeedQuery.Start.Snapshot;
    if (start instanceof FeedQuery.Start.After after) {
      position = Optional.of(after.position());
    }
  }

  /**
   * Opens a feed.
   *
   * @param logId of the log of the feed; null before its first record
   * @throws EntroQException.InvalidArgument if its position is of no engine
   * @throws EntroQException.ResourceExhausted if there are too many readers
   */
  public static LocalFeedCursor open(EffectFeed feed, Supplier<UUID> logId, FeedQuery query) {
    return new LocalFeedCursor(feed, feed.open(request(query)), logId, query.start());
  }

  /** What a feed can show at present. */
  public static io.entroq.api.feed.FeedRange range(EffectFeed feed) {
    FeedRange kept = feed.kept();
    return new io.entroq.api.feed.FeedRange(kept.firstSequence(), kept.lastSequence());
  }

  private static FeedRequest request(FeedQuery query) {
    return new FeedRequest(
        start(query.start()),
        query.until().map(FeedPosition::sequence).orElse(Long.MAX_VALUE),
        query.untilTime().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE),
        query.queues(),
        List.copyOf(query.prefixes()),
        query.namespaces(),
        query.kinds().stream().map(EffectResults::number).collect(Collectors.toSet()),
        query.ids().stream().map(TaskId::text).collect(Collectors.toSet()),
        query.hasValues());
  }

  private static FeedRequest.Start start(FeedQuery.Start start) {
    if (start instanceof FeedQuery.Start.After after) {
      FeedPosition position = after.position();
      return new FeedRequest.Start.After(
          position.sequence(), position.index(), logId(position.log()), position.timeMs());
    }
    if (start instanceof FeedQuery.Start.At at) {
      return new FeedRequest.Start.Time(at.time().toEpochMilli());
    }
    return start instanceof FeedQuery.Start.Snapshot
        ? new FeedRequest.Start.Snapshot()
        : new FeedRequest.Start.Now();
  }

  /** Null if the position may be of any log. */
  private static UUID logId(String log) {
    if (log.isEmpty()) {
      return null;
    }
    if (!log.matches("\\p{XDigit}{" + LOG_CHARS + "}")) {
      throw new EntroQException.InvalidArgument("the position names no log: \"@" + log + "\"");
    }
    return new UUID(
        Long.parseUnsignedLong(log.substring(0, HEX), HEX),
        Long.parseUnsignedLong(log.substring(HEX), HEX));
  }

  @Override
  public Optional<Effect> poll() {
    while (true) {
      if (isClosed) {
        return Optional.empty();
      }
      Taken next = taken.poll();
      if (next != null) {
        position = next.position().or(() -> position);
        if (next.effect() != null) {
          return Optional.of(next.effect());
        }
      } else if (failure != null) {
        throw failure;
      } else if (isComplete || (reader.poll(this, POLL_BYTES) == 0 && !hasEnded())) {
        return Optional.empty();
      }
    }
  }

  private boolean hasEnded() {
    Optional<FeedEnd> end = reader.ended();
    end.ifPresent(this::end);
    return end.isPresent();
  }

  private void end(FeedEnd end) {
    isComplete = end.reason() == FeedEnd.Reason.COMPLETE;
    failure = isComplete ? null : failure(end);
    reader.close();
  }

  private EntroQException failure(FeedEnd end) {
    return switch (end.reason()) {
      case OUT_OF_RANGE, FUTURE -> {
        FeedRange kept = feed.kept();
        yield new EntroQException.OutOfRange(end.text(), kept.firstSequence(), kept.lastSequence());
      }
      case OTHER_LOG -> new EntroQException.InvalidArgument(end.text());
      case EXHAUSTED, SLOW -> new EntroQException.ResourceExhausted(end.text());
      case AWAY, FAULT -> new EntroQException.Unavailable(end.text());
      case CLOSED -> new EntroQException.Closed(end.text());
      case COMPLETE -> throw new IllegalStateException("not a failure");
    };
  }

  @Override
  public void onEffect(EffectReader effect) {
    Optional<FeedPosition> after =
        isSnapshot ? Optional.empty() : Optional.of(position(effect.step(), effect.index()));
    taken.add(new Taken(results.effect(effect, after), after));
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    if (!isSnapshot) {
      FeedPosition marked = position(sequence, FeedPosition.WHOLE_STEP, logTimeMs);
      taken.add(new Taken(null, Optional.of(marked)));
    }
  }

  @Override
  public void onSnapshotEnd(long sequence, long logTimeMs) {
    isSnapshot = false;
    onMark(sequence, logTimeMs);
  }

  private FeedPosition position(StepFrame step, int index) {
    return position(step.sequence(), index, step.logTimeMs());
  }

  private FeedPosition position(long sequence, int index, long timeMs) {
    if (log.isEmpty()) {
      UUID id = logId.get();
      log = id == null ? "" : id.toString().replace("-", "");
    }
    return new FeedPosition(sequence, index, log, log.isEmpty() ? 0 : timeMs);
  }

  @Override
  public boolean await(Runnable onAvailable) {
    boolean isAvailable = isEnded() || failure != null || !taken.isEmpty();
    return !isAvailable && reader.await(onAvailable);
  }

  @Override
  public boolean isEnded() {
    return isClosed || (isComplete && taken.isEmpty());
  }

  @Override
  public Optional<FeedPosition> position() {
    return position;
  }

  /** None: it is read from memory, or has failed. */
  @Override
  public Optional<EntroQException> problem() {
    return Optional.empty();
  }

  @Override
  public void close() {
    isClosed = true;
    reader.close();
  }

  /**
   * @param effect null for a position alone
   */
  private record Taken(Effect effect, Optional<FeedPosition> position) {}
}
