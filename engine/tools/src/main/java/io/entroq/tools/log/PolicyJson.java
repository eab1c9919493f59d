package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.command.PauseDecoder;
import io.entroq.codec.command.PolicyRefDecoder;
import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.Orders;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import java.io.IOException;
import org.agrona.DirectBuffer;

/** Writes the policies of commands as JSON, without rules that are not set. */
public final class PolicyJson {
  private static final String[] KINDS = {"queue", "prefix", "limiter"};
  private static final String[] ORDERS = {"coin", "oldest", "strict"};
  private static final String[] FAIRS = {"", "leastInFlight", "roundRobin", "strictRank"};

  private PolicyJson() {}

  /**
   * The name of a kind of policies.
   *
   * @param kind one of {@link PolicyKinds}
   */
  public static String kindName(int kind) {
    return KINDS[kind];
  }

  static void write(JsonGenerator json, DirectBuffer buffer, PolicyDecoder policy)
      throws IOException {
    name(json, buffer, policy.kind(), policy.nameOffset(), policy.nameLength());
    number(json, "expectedVersion", policy.expectedVersion());
    number(json, "rateLimit", policy.rateLimit());
    number(json, "ratePeriodMs", policy.ratePeriodMs());
    number(json, "rateBurst", policy.rateBurst());
    number(json, "inFlightMax", policy.inFlightMax());
    if (policy.limiterCount() != 0) {
      json.writeArrayFieldStart("limiters");
      for (int i = 0; i < policy.limiterCount(); i++) {
        json.writeString(
            CommandJson.text(buffer, policy.limiterOffset(i), policy.limiterLength(i)));
      }
      json.writeEndArray();
    }
    retry(json, buffer, policy);
    number(json, "ttlMs", policy.ttlMs());
    text(
        json,
        "expiredQueue",
        CommandJson.text(buffer, policy.expiredQueueOffset(), policy.expiredQueueLength()));
    number(json, "tasksMax", policy.tasksMax());
    number(json, "bytesMax", policy.bytesMax());
    if (policy.overflow() == Overflows.DROP_OLDEST) {
      json.writeStringField("overflow", "dropOldest");
    }
    if (policy.order() != Orders.COIN) {
      json.writeStringField("order", ORDERS[policy.order()]);
    }
    number(json, "rememberIdsMs", policy.rememberIdsMs());
    if (policy.fair() != Fairs.NONE) {
      json.writeStringField("fair", FAIRS[policy.fair()]);
    }
    number(json, "poolDepth", policy.poolDepth());
    number(json, "poolInFlightMax", policy.poolInFlightMax());
    number(json, "poolRateLimit", policy.poolRateLimit());
    number(json, "poolRatePeriodMs", policy.poolRatePeriodMs());
    number(json, "poolRateBurst", policy.poolRateBurst());
    number(json, "weight", policy.weight());
    number(json, "rank", policy.rank());
    if (policy.groupCount() != 0) {
      json.writeArrayFieldStart("groups");
      for (int i = 0; i < policy.groupCount(); i++) {
        json.writeString(CommandJson.text(buffer, policy.groupOffset(i), policy.groupLength(i)));
      }
      json.writeEndArray();
    }
  }

  private static void retry(JsonGenerator json, DirectBuffer buffer, PolicyDecoder policy)
      throws IOException {
    number(json, "retryBaseMs", policy.retryBaseMs());
    number(json, "retryFactorMilli", policy.retryFactorMilli());
    number(json, "retryMaxMs", policy.retryMaxMs());
    number(json, "retryJitterMilli", policy.retryJitterMilli());
    number(json, "attemptsMax", policy.attemptsMax());
    number(json, "lapsesMax", policy.lapsesMax());
    text(
        json,
        "deadQueue",
        CommandJson.text(buffer, policy.deadQueueOffset(), policy.deadQueueLength()));
    number(json, "breakerFailures", policy.breakerFailures());
    number(json, "breakerPauseMs", policy.breakerPauseMs());
  }

  static void reference(JsonGenerator json, DirectBuffer buffer, PolicyRefDecoder policy)
      throws IOException {
    name(json, buffer, policy.kind(), policy.nameOffset(), policy.nameLength());
    number(json, "expectedVersion", policy.expectedVersion());
  }

  static void pause(JsonGenerator json, DirectBuffer buffer, PauseDecoder pause)
      throws IOException {
    name(json, buffer, pause.kind(), pause.nameOffset(), pause.nameLength());
    json.writeNumberField("pauseMs", pause.pauseMs());
  }

  private static void name(
      JsonGenerator json, DirectBuffer buffer, int kind, int offset, int length)
      throws IOException {
    if (kind != PolicyKinds.QUEUE) {
      json.writeStringField("kind", kindName(kind));
    }
    json.writeStringField("name", CommandJson.text(buffer, offset, length));
  }

  private static void number(JsonGenerator json, String name, long value) throws IOException {
    if (value != 0) {
      json.writeNumberField(name, value);
    }
  }

  private static void text(JsonGenerator json, String name, String value) throws IOException {
    if (!value.isEmpty()) {
      json.writeStringField(name, value);
    }
  }
}
