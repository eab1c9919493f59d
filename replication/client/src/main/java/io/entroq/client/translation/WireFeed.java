package io.entroq.client.translation;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Converts feeds between messages and the API. Any thread. */
public final class WireFeed {
  private static final String PREFIX = "EFFECT_";

  private WireFeed() {}

  /**
   * The request for a feed, or for the rest of it.
   *
   * @param seen up to where it was seen; empty: begins where the query says
   */
  public static TailRequest request(FeedQuery query, Optional<FeedPosition> seen) {
    TailRequest.Builder request =
        TailRequest.newBuilder()
            .addAllQueues(query.queues())
            .addAllPrefixes(query.prefixes())
            .addAllNamespaces(query.namespaces())
            .setValues(query.hasValues())
            .setRawValues(query.hasValues());
    if (seen.isPresent()) {
      request.setPosition(seen.get().text());
    } else {
      start(query.start(), request);
    }
    query.until().ifPresent(last -> request.setUntil(last.text()));
    query.untilTime().ifPresent(last -> request.setUntilTimeMs(last.toEpochMilli()));
    query.ids().stream().map(TaskId::text).forEach(request::addTaskIds);
    query.kinds().stream().map(WireFeed::kind).forEach(request::addKinds);
    return request.build();
  }

  private static void start(FeedQuery.Start start, TailRequest.Builder request) {
    if (start instanceof FeedQuery.Start.After after) {
      request.setPosition(after.position().text());
    } else if (start instanceof FeedQuery.Start.At at) {
      request.setTimeMs(at.time().toEpochMilli());
    } else if (start instanceof FeedQuery.Start.Snapshot) {
      request.setSnapshot(true);
    } else {
      request.setNow(true);
    }
  }

  private static io.entroq.codec.wire.edge.EffectKind kind(EffectKind kind) {
    return io.entroq.codec.wire.edge.EffectKind.valueOf(PREFIX + kind.name());
  }

  private static EffectKind kind(io.entroq.codec.wire.edge.EffectKind kind) {
    return switch (kind) {
      case EFFECT_INSERTED -> EffectKind.INSERTED;
      case EFFECT_CLAIMED -> EffectKind.CLAIMED;
      case EFFECT_RENEWED -> EffectKind.RENEWED;
      case EFFECT_CHANGED -> EffectKind.CHANGED;
      case EFFECT_MOVED -> EffectKind.MOVED;
      case EFFECT_DELETED -> EffectKind.DELETED;
      case EFFECT_GIVEN_BACK -> EffectKind.GIVEN_BACK;
      case EFFECT_FAILED -> EffectKind.FAILED;
      case EFFECT_DIED -> EffectKind.DIED;
      case EFFECT_EXPIRED -> EffectKind.EXPIRED;
      case EFFECT_LAPSED -> EffectKind.LAPSED;
      case EFFECT_DROPPED -> EffectKind.DROPPED;
      case EFFECT_TAKEN_BACK -> EffectKind.TAKEN_BACK;
      case EFFECT_DOC_INSERTED -> EffectKind.DOC_INSERTED;
      case EFFECT_DOC_CHANGED -> EffectKind.DOC_CHANGED;
      case EFFECT_DOC_DELETED -> EffectKind.DOC_DELETED;
      case EFFECT_SET_WRITTEN -> EffectKind.SET_WRITTEN;
      case EFFECT_SET_FORGOTTEN -> EffectKind.SET_FORGOTTEN;
      case EFFECT_POLICY_WRITTEN -> EffectKind.POLICY_WRITTEN;
      case EFFECT_POLICY_DELETED -> EffectKind.POLICY_DELETED;
      case EFFECT_BREAKER_OPENED -> EffectKind.BREAKER_OPENED;
      case EFFECT_NONE, UNRECOGNIZED -> EffectKind.UNKNOWN;
    };
  }

  /** What a feed can show. */
  public static FeedRange range(io.entroq.codec.wire.edge.FeedRange range) {
    return new FeedRange(range.getFirstSequence(), range.getLastSequence());
  }

  /** The id of the log that a response names, as positions have it; empty if it names none. */
  public static String log(TailResponse response) {
    return HexFormat.of().formatHex(response.getLogId().toByteArray());
  }

  /**
   * The position of a response; empty if it has none.
   *
   * @throws EntroQException.InvalidArgument if it is not one
   */
  public static Optional<FeedPosition> position(TailResponse response) {
    return response.getPosition().isEmpty()
        ? Optional.empty()
        : Optional.of(FeedPosition.of(response.getPosition()));
  }

  /** The position after an effect. */
  public static FeedPosition position(io.entroq.codec.wire.edge.Effect effect, String log) {
    return new FeedPosition(
        effect.getSequence(), effect.getIndex(), log, log.isEmpty() ? 0 : effect.getTimeMs());
  }

  /**
   * An effect.
   *
   * @param position empty if it is part of the state with which the feed began
   */
  public static Effect effect(
      io.entroq.codec.wire.edge.Effect effect, Optional<FeedPosition> position) {
    boolean isSet = effect.hasDoc() && effect.getDoc().getId().isEmpty();
    return new Effect(
        kind(effect.getKind()),
        position,
        Instant.ofEpochMilli(effect.getTimeMs()),
        effect.hasTask() ? Optional.of(WireTasks.of(effect.getTask())) : Optional.empty(),
        effect.getInsertSequence(),
        Optional.of(effect.getFormerQueue()).filter(queue -> !queue.isEmpty()),
        effect.hasDoc() && !isSet ? Optional.of(WireDocs.of(effect.getDoc())) : Optional.empty(),
        isSet ? Optional.of(WireDocs.set(effect.getDoc())) : Optional.empty(),
        effect.hasPolicy()
            ? Optional.of(WirePolicies.entry(withRules(effect.getPolicy())))
            : Optional.empty(),
        effect.getRequester(),
        effect.getWasInFlight(),
        effect.getFailed());
  }

  /** An effect does not say whether there are rules. */
  private static PolicyState withRules(PolicyState state) {
    Policy policy = state.getPolicy();
    Policy name = Policy.newBuilder().setKind(policy.getKind()).setName(policy.getName()).build();
    return state.toBuilder().setHasRules(!policy.equals(name)).build();
  }
}
