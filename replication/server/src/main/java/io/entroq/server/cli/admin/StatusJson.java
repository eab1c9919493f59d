package io.entroq.server.cli.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.wire.published.admin.SnapshotOfMember;
import io.entroq.codec.wire.published.admin.StateOfMember;
import io.entroq.codec.wire.published.admin.StatusResponse;
import java.io.IOException;

/** The status of a cluster member as fields of a JSON object. */
final class StatusJson {
  private StatusJson() {}

  /** Writes the fields. Digests and ids are hexadecimal strings: JSON numbers would lose bits. */
  static void write(JsonGenerator json, StatusResponse status) throws IOException {
    json.writeNumberField("member", status.getMemberId());
    json.writeArrayFieldStart("members");
    for (String address : status.getMembersList()) {
      json.writeString(address);
    }
    json.writeEndArray();
    json.writeStringField("role", status.getRole());
    json.writeStringField("election", status.getElection());
    json.writeNumberField("leader", status.getLeaderId());
    json.writeNumberField("term", status.getTerm());
    json.writeNumberField("commitPosition", status.getCommitPosition());
    json.writeNumberField("appliedPosition", status.getAppliedPosition());
    json.writeNumberField("lagBytes", StatusText.lagBytes(status));
    json.writeNumberField("appliedSequence", status.getAppliedSequence());
    json.writeStringField("durability", status.getDurability());
    json.writeNumberField("snapshots", status.getSnapshots());
    if (status.hasSnapshot()) {
      json.writeObjectFieldStart("snapshot");
      snapshot(json, status.getSnapshot());
      json.writeEndObject();
    }
    json.writeNumberField("logBytesSince", status.getLogBytesSince());
    json.writeNumberField("logBytesHeld", status.getLogBytesHeld());
    json.writeArrayFieldStart("membersBehind");
    for (int member : status.getMembersBehindList()) {
      json.writeNumber(member);
    }
    json.writeEndArray();
    json.writeNumberField("disagreements", status.getDisagreements());
    if (status.getLevelMax() > 0) {
      json.writeNumberField("levelMin", status.getLevelMin());
      json.writeNumberField("levelMax", status.getLevelMax());
    }
    json.writeNumberField("leaderAheadMs", status.getLeaderAheadMs());
    json.writeNumberField("membersSince", status.getMembersSince());
    json.writeNumberField("diskFreeBytes", status.getDiskFreeBytes());
    json.writeNumberField("diskBytes", status.getDiskBytes());
    if (status.hasState()) {
      json.writeObjectFieldStart("state");
      state(json, status.getState());
      json.writeEndObject();
    }
  }

  private static void snapshot(JsonGenerator json, SnapshotOfMember snapshot) throws IOException {
    json.writeNumberField("position", snapshot.getPosition());
    json.writeNumberField("ageMs", snapshot.getAgeMs());
    json.writeNumberField("bytes", snapshot.getBytes());
    json.writeNumberField("pauseMs", snapshot.getPauseMs());
  }

  private static void state(JsonGenerator json, StateOfMember state) throws IOException {
    json.writeNumberField("sequence", state.getSequence());
    json.writeStringField("historyDigest", "%016x".formatted(state.getHistoryDigest()));
    json.writeStringField("contentDigest", "%016x".formatted(state.getContentDigest()));
    json.writeStringField("cluster", StatusText.clusterId(state));
    json.writeNumberField("level", state.getLevel());
    json.writeNumberField("logTimeMs", state.getLogTimeMs());
  }
}
