package io.entroq.service.feed;

import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.service.limit.Limit;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.HashSet;
import java.util.List;

/** Converts the requests of feeds, and checks them. */
public final class TailRequests {
  private TailRequests() {}

  /**
   * What a request asks for.
   *
   * @throws RefusedException if it is malformed, or a filter has too many names; names the field
   */
  public static FeedRequest read(TailRequest request) {
    FeedRequest.Start start = start(request);
    long until = Long.MAX_VALUE;
    if (!request.getUntil().isEmpty()) {
      until = FeedPosition.of("until", request.getUntil()).sequence();
      if (start instanceof FeedRequest.Start.After after && until < after.sequence()) {
        throw invalid("until: before the position");
      }
    }
    checkNames("queues", request.getQueuesList(), Limit.FEED_QUEUES);
    checkCount("prefixes", request.getPrefixesCount(), Limit.FEED_PREFIXES);
    checkNames("namespaces", request.getNamespacesList(), Limit.FEED_NAMESPACES);
    checkNames("task_ids", request.getTaskIdsList(), Limit.FEED_IDS);
    request.getTaskIdsList().forEach(TailRequests::checkId);
    request.getKindsValueList().forEach(TailRequests::checkKind);
    return new FeedRequest(
        start,
        until,
        untilTimeMs(request),
        new HashSet<>(request.getQueuesList()),
        request.getPrefixesList(),
        new HashSet<>(request.getNamespacesList()),
        new HashSet<>(request.getKindsValueList()),
        new HashSet<>(request.getTaskIdsList()),
        request.getValues());
  }

  private static FeedRequest.Start start(TailRequest request) {
    return switch (request.getStartCase()) {
      case START_NOT_SET -> new FeedRequest.Start.Now();
      case NOW -> {
        checkTrue("now", request.getNow());
        yield new FeedRequest.Start.Now();
      }
      case SNAPSHOT -> {
        checkTrue("snapshot", request.getSnapshot());
        yield new FeedRequest.Start.Snapshot();
      }
      case TIME_MS -> {
        if (request.getTimeMs() < 0) {
          throw invalid("time_ms: negative: " + request.getTimeMs());
        }
        yield new FeedRequest.Start.Time(request.getTimeMs());
      }
      case POSITION -> {
        FeedPosition position = FeedPosition.of("position", request.getPosition());
        yield new FeedRequest.Start.After(
            position.sequence(), position.index(), position.logId(), position.timeMs());
      }
    };
  }

  private static long untilTimeMs(TailRequest request) {
    long untilMs = request.getUntilTimeMs();
    if (untilMs < 0) {
      throw invalid("until_time_ms: negative: " + untilMs);
    }
    if (untilMs > 0 && request.hasTimeMs() && untilMs < request.getTimeMs()) {
      throw invalid("until_time_ms: before time_ms");
    }
    return untilMs == 0 ? Long.MAX_VALUE : untilMs;
  }

  private static void checkTrue(String field, boolean value) {
    if (!value) {
      throw invalid(field + ": must be true, or absent");
    }
  }

  private static void checkCount(String field, int count, Limit limit) {
    if (count > limit.standard()) {
      throw invalid(
          limit.named(
              "%s: %,d are given, at most %,d are accepted"
                  .formatted(field, count, limit.standard())));
    }
  }

  private static void checkNames(String field, List<String> names, Limit limit) {
    checkCount(field, names.size(), limit);
    if (names.contains("")) {
      throw invalid(field + ": one is empty");
    }
  }

  private static void checkId(String id) {
    try {
      Ids.ofV1(id);
    } catch (InvalidIdException e) {
      throw invalid("task_ids: " + e.getMessage());
    }
  }

  private static void checkKind(int kind) {
    if (kind == EffectKind.EFFECT_NONE_VALUE || EffectKind.forNumber(kind) == null) {
      throw invalid("kinds: there is no kind " + kind);
    }
  }

  private static RefusedException invalid(String problem) {
    return new RefusedException(Refusal.invalid(problem));
  }
}
