package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.CallersGoneDecoder;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.command.TaskRefDecoder;
import io.entroq.codec.command.TickDecoder;
import io.entroq.codec.message.Facades;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.Ids;
import java.io.IOException;
import java.util.HexFormat;
import org.agrona.DirectBuffer;

/**
 * Writes commands as JSON: ids as the v1 API shows them, times in milliseconds, without fields that
 * have defaults.
 */
final class CommandJson {
  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();
  private final CancelDecoder cancel = new CancelDecoder();
  private final TickDecoder tick = new TickDecoder();
  private final CallersGoneDecoder callersGone = new CallersGoneDecoder();
  private final AcknowledgeDecoder acknowledge = new AcknowledgeDecoder();
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevel = new RaiseLevelDecoder();
  private final CutDecoder cut = new CutDecoder();
  private final ValueJson values;

  /**
   * @param withValues whether to write values, not only their kind and size
   */
  CommandJson(boolean withValues) {
    this.values = new ValueJson(withValues);
  }

  /**
   * Decodes a payload before anything is written.
   *
   * @return writes the members of its object; valid until the next call
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be decoded
   */
  JsonLines.Members read(int type, DirectBuffer payload, int offset, int length) {
    return switch (type) {
      case RecordType.CLAIM -> {
        claim.wrap(payload, offset, length);
        yield json -> claim(json, claim);
      }
      case RecordType.MODIFY -> {
        modify.wrap(payload, offset, length);
        yield this::modify;
      }
      case RecordType.CLAIM_DOCS -> {
        claimDocs.wrap(payload, offset, length);
        yield this::claimDocs;
      }
      case RecordType.CANCEL -> {
        cancel.wrap(payload, offset, length);
        yield this::cancel;
      }
      case RecordType.TICK -> {
        tick.wrap(payload, offset, length);
        yield json -> {};
      }
      case RecordType.CALLERS_GONE -> {
        callersGone.wrap(payload, offset, length);
        yield this::callersGone;
      }
      case RecordType.ACKNOWLEDGE -> {
        acknowledge.wrap(payload, offset, length);
        yield this::acknowledge;
      }
      case RecordType.GENESIS -> {
        genesis.wrap(payload, offset, length);
        yield this::genesis;
      }
      case RecordType.RAISE_LEVEL -> {
        raiseLevel.wrap(payload, offset, length);
        yield json -> json.writeNumberField("level", raiseLevel.level());
      }
      case RecordType.CUT -> {
        cut.wrap(payload, offset, length);
        yield this::cut;
      }
      default -> throw new IllegalArgumentException("unknown record type: " + type);
    };
  }

  private void claim(JsonGenerator json, ClaimDecoder command) throws IOException {
    if (command.hasIdentity()) {
      request(
          json,
          command.clientHigh(),
          command.clientLow(),
          command.requestNumber(),
          command.ackedBelow());
    }
    facade(json, command.facade() == Facades.V0);
    claimant(
        json,
        command.claimantHigh(),
        command.claimantLow(),
        text(command.buffer(), command.claimantTextOffset(), command.claimantTextLength()));
    claimed(json, command);
    if (command.waits()) {
      json.writeBooleanField("wait", true);
    }
    if (command.deadlineMs() != 0) {
      json.writeNumberField("deadlineMs", command.deadlineMs());
    }
  }

  private static void claimed(JsonGenerator json, ClaimDecoder command) throws IOException {
    json.writeArrayFieldStart("queues");
    for (int i = 0; i < command.queueCount(); i++) {
      json.writeString(text(command.buffer(), command.queueOffset(i), command.queueLength(i)));
    }
    json.writeEndArray();
    json.writeNumberField("leaseMs", command.leaseMs());
    json.writeNumberField("limit", command.limit());
  }

  private void modify(JsonGenerator json) throws IOException {
    if (modify.hasIdentity()) {
      request(
          json,
          modify.clientHigh(),
          modify.clientLow(),
          modify.requestNumber(),
          modify.ackedBelow());
    }
    facade(json, modify.facade() == Facades.V0);
    claimant(
        json,
        modify.claimantHigh(),
        modify.claimantLow(),
        text(modify.buffer(), modify.claimantTextOffset(), modify.claimantTextLength()));
    list(json, "inserts", modify.insertCount(), i -> task(json, modify.insert(i), -1));
    list(
        json,
        "changes",
        modify.changeCount(),
        i -> task(json, modify.change(i), modify.change(i).version()));
    list(json, "deletes", modify.deleteCount(), i -> reference(json, modify.delete(i)));
    list(json, "depends", modify.dependCount(), i -> reference(json, modify.depend(i)));
    list(json, "docInserts", modify.docInsertCount(), i -> doc(json, modify.docInsert(i), false));
    list(json, "docChanges", modify.docChangeCount(), i -> doc(json, modify.docChange(i), true));
    list(json, "docDeletes", modify.docDeleteCount(), i -> docRef(json, modify.docDelete(i), true));
    list(json, "docDepends", modify.docDependCount(), i -> docRef(json, modify.docDepend(i), true));
    if (modify.hasThenClaim()) {
      json.writeObjectFieldStart("thenClaim");
      claimed(json, modify.thenClaim());
      json.writeEndObject();
    }
    if (modify.queueTasksMax() != 0) {
      json.writeNumberField("queueTasksMax", modify.queueTasksMax());
    }
    policies(json);
  }

  private void policies(JsonGenerator json) throws IOException {
    DirectBuffer buffer = modify.buffer();
    list(
        json,
        "policyPuts",
        modify.policyPutCount(),
        i -> PolicyJson.write(json, buffer, modify.policyPut(i)));
    list(
        json,
        "policyDeletes",
        modify.policyDeleteCount(),
        i -> PolicyJson.reference(json, buffer, modify.policyDelete(i)));
    list(json, "pauses", modify.pauseCount(), i -> PolicyJson.pause(json, buffer, modify.pause(i)));
    list(json, "fails", modify.failCount(), i -> fail(json, modify.fail(i)));
    if (modify.policiesMax() != 0) {
      json.writeNumberField("policiesMax", Integer.toUnsignedLong(modify.policiesMax()));
    }
  }

  private void fail(JsonGenerator json, FailDecoder fail) throws IOException {
    DirectBuffer buffer = modify.buffer();
    id(json, fail.idHigh(), fail.idLow(), text(buffer, fail.idTextOffset(), fail.idTextLength()));
    json.writeNumberField("version", fail.version());
    if (fail.queueLength() != 0) {
      json.writeStringField("queue", text(buffer, fail.queueOffset(), fail.queueLength()));
    }
    if (fail.errLength() != 0) {
      json.writeStringField("err", text(buffer, fail.errOffset(), fail.errLength()));
    }
    if (fail.hasDelay()) {
      json.writeNumberField("delayMs", fail.delayMs());
    }
  }

  private void task(JsonGenerator json, TaskItem task, int version) throws IOException {
    DirectBuffer buffer = modify.buffer();
    id(json, task.idHigh(), task.idLow(), text(buffer, task.idTextOffset(), task.idTextLength()));
    if (version >= 0) {
      json.writeNumberField("version", version);
    }
    json.writeStringField("queue", text(buffer, task.queueOffset(), task.queueLength()));
    json.writeNumberField("arrivalMs", task.arrivalMs());
    json.writeNumberField("attempt", task.attempt());
    if (task.errLength() != 0) {
      json.writeStringField("err", text(buffer, task.errOffset(), task.errLength()));
    }
    if (task.ttlMs() != 0) {
      json.writeNumberField("ttlMs", task.ttlMs());
    }
    if (task.traceLength() != 0) {
      json.writeFieldName("trace");
      json.writeString(HexFormat.of().formatHex(bytes(buffer, task)));
    }
    values.write(json, task.valueKind(), buffer, task.valueOffset(), task.valueLength());
  }

  private static byte[] bytes(DirectBuffer buffer, TaskItem task) {
    byte[] trace = new byte[task.traceLength()];
    buffer.getBytes(task.traceOffset(), trace);
    return trace;
  }

  private void reference(JsonGenerator json, TaskRefDecoder task) throws IOException {
    DirectBuffer buffer = modify.buffer();
    id(json, task.idHigh(), task.idLow(), text(buffer, task.idTextOffset(), task.idTextLength()));
    json.writeNumberField("version", task.version());
    if (task.queueLength() != 0) {
      json.writeStringField("queue", text(buffer, task.queueOffset(), task.queueLength()));
    }
  }

  private void doc(JsonGenerator json, DocDataDecoder doc, boolean isChange) throws IOException {
    DirectBuffer buffer = modify.buffer();
    docRef(json, doc, isChange);
    json.writeStringField("key", text(buffer, doc.keyOffset(), doc.keyLength()));
    json.writeStringField(
        "secondaryKey", text(buffer, doc.secondaryKeyOffset(), doc.secondaryKeyLength()));
    if (isChange) {
      json.writeNumberField("arrivalMs", doc.arrivalMs());
    }
    values.write(json, doc.valueKind(), buffer, doc.valueOffset(), doc.valueLength());
  }

  private void docRef(JsonGenerator json, DocItem doc, boolean hasVersion) throws IOException {
    DirectBuffer buffer = modify.buffer();
    json.writeStringField("namespace", text(buffer, doc.namespaceOffset(), doc.namespaceLength()));
    id(json, doc.idHigh(), doc.idLow(), text(buffer, doc.idTextOffset(), doc.idTextLength()));
    if (hasVersion) {
      json.writeNumberField("version", doc.version());
    }
  }

  private void claimDocs(JsonGenerator json) throws IOException {
    DirectBuffer buffer = claimDocs.buffer();
    if (claimDocs.hasIdentity()) {
      request(
          json,
          claimDocs.clientHigh(),
          claimDocs.clientLow(),
          claimDocs.requestNumber(),
          claimDocs.ackedBelow());
    }
    facade(json, claimDocs.facade() == Facades.V0);
    claimant(
        json,
        claimDocs.claimantHigh(),
        claimDocs.claimantLow(),
        text(buffer, claimDocs.claimantTextOffset(), claimDocs.claimantTextLength()));
    json.writeStringField(
        "namespace",
        text(buffer, claimDocs.set(0).namespaceOffset(), claimDocs.set(0).namespaceLength()));
    json.writeStringField(
        "key", text(buffer, claimDocs.set(0).keyOffset(), claimDocs.set(0).keyLength()));
    json.writeNumberField("leaseMs", claimDocs.leaseMs());
  }

  private void cancel(JsonGenerator json) throws IOException {
    client(json, cancel.clientHigh(), cancel.clientLow());
    json.writeNumberField("request", cancel.requestNumber());
  }

  private void callersGone(JsonGenerator json) throws IOException {
    json.writeBooleanField("all", callersGone.all());
    list(
        json,
        "clients",
        callersGone.clientCount(),
        i -> client(json, callersGone.client(i).clientHigh(), callersGone.client(i).clientLow()));
  }

  private void acknowledge(JsonGenerator json) throws IOException {
    list(
        json,
        "clients",
        acknowledge.clientCount(),
        i -> {
          client(json, acknowledge.client(i).clientHigh(), acknowledge.client(i).clientLow());
          json.writeNumberField("ackedBelow", acknowledge.client(i).ackedBelow());
        });
    list(
        json,
        "delivered",
        acknowledge.deliveredCount(),
        i -> {
          client(json, acknowledge.delivered(i).clientHigh(), acknowledge.delivered(i).clientLow());
          json.writeNumberField("request", acknowledge.delivered(i).requestNumber());
        });
  }

  private void genesis(JsonGenerator json) throws IOException {
    json.writeStringField("logId", Ids.v0Text(genesis.logIdHigh(), genesis.logIdLow()));
    json.writeStringField("seed", "%016x".formatted(genesis.seed()));
    json.writeNumberField("level", genesis.level());
    json.writeNumberField("createdMs", genesis.createdMs());
  }

  private void cut(JsonGenerator json) throws IOException {
    json.writeNumberField("afterSequence", cut.afterSequence());
    json.writeStringField("segment", text(cut.buffer(), cut.segmentOffset(), cut.segmentLength()));
    json.writeNumberField("offset", cut.cutOffset());
    json.writeNumberField("droppedBytes", cut.droppedBytes());
  }

  private static void request(
      JsonGenerator json, long clientHigh, long clientLow, long number, long ackedBelow)
      throws IOException {
    client(json, clientHigh, clientLow);
    json.writeNumberField("request", number);
    json.writeNumberField("ackedBelow", ackedBelow);
  }

  private static void client(JsonGenerator json, long high, long low) throws IOException {
    json.writeStringField("client", Ids.v0Text(high, low));
  }

  private static void facade(JsonGenerator json, boolean isV0) throws IOException {
    if (isV0) {
      json.writeStringField("facade", "v0");
    }
  }

  private static void claimant(JsonGenerator json, long high, long low, String text)
      throws IOException {
    if ((high | low) != 0) {
      json.writeStringField("claimant", Ids.v1Text(high, low, text));
    }
  }

  private static void id(JsonGenerator json, long high, long low, String text) throws IOException {
    json.writeStringField("id", Ids.v1Text(high, low, text));
  }

  static String text(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? "" : buffer.getStringWithoutLengthUtf8(offset, length);
  }

  /** Writes an array of objects; omitted if empty. */
  private static void list(JsonGenerator json, String name, int count, Item item)
      throws IOException {
    if (count == 0) {
      return;
    }
    json.writeArrayFieldStart(name);
    for (int i = 0; i < count; i++) {
      json.writeStartObject();
      item.write(i);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private interface Item {
    void write(int index) throws IOException;
  }
}
