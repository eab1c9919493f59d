package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.worker.OutcomeException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Tasks and modifications in the JSON of EntroQ's protobuf messages, for the gateway. */
final class GatewayJson {
  private static final Set<String> MODIFICATION =
      Set.of("claimantId", "inserts", "changes", "deletes", "depends");
  private static final Set<String> CHANGE = Set.of("oldId", "newData", "mode");
  private static final Set<String> DATA = Set.of("queue", "atMs", "value", "id", "attempt", "err");
  private static final Set<String> REF = Set.of("id", "version", "queue");

  private GatewayJson() {}

  /** As protobuf writes JSON: 64-bit numbers are texts, and zeros are left out. */
  static ObjectNode task(Task task) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("queue", task.queue());
    json.put("id", task.id().text());
    putNumber(json, "version", task.version());
    json.put("atMs", Long.toString(task.arrivalTime().toEpochMilli()));
    putText(json, "claimantId", task.claimant());
    if (!task.value().isAbsent()) {
      json.set("value", value(task.value()));
    }
    json.put("createdMs", Long.toString(task.created().toEpochMilli()));
    json.put("modifiedMs", Long.toString(task.modified().toEpochMilli()));
    putNumber(json, "claims", task.claims());
    putNumber(json, "attempt", task.attempt());
    putText(json, "err", task.err());
    return json;
  }

  private static void putNumber(ObjectNode json, String name, int number) {
    if (number != 0) {
      json.put(name, number);
    }
  }

  private static void putText(ObjectNode json, String name, String text) {
    if (!text.isEmpty()) {
      json.put(name, text);
    }
  }

  /** Bytes that are not JSON as a text in base64, as clients of protocol 1 see them. */
  private static JsonNode value(Value value) {
    try {
      return Json.read(value);
    } catch (OutcomeException e) {
      return Json.MAPPER.getNodeFactory().binaryNode(value.toBytes());
    }
  }

  /** What did not match, as a list of {@code ModifyDep}. */
  static ArrayNode dependencies(ModifyResult.DependencyFailure failure) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    // CLAIM is the zero, which is left out.
    failure.claims().forEach(ref -> list.addObject().set("id", ref(ref)));
    add(list, "DELETE", failure.deletes());
    add(list, "CHANGE", failure.changes());
    add(list, "DEPEND", failure.depends());
    add(list, "INSERT", failure.collisions());
    return list;
  }

  private static void add(ArrayNode list, String type, List<TaskRef> refs) {
    for (TaskRef ref : refs) {
      ObjectNode entry = list.addObject();
      entry.put("type", type);
      entry.set("id", ref(ref));
    }
  }

  private static ObjectNode ref(TaskRef ref) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("id", ref.id().text());
    putNumber(json, "version", ref.version());
    putText(json, "queue", ref.queue());
    return json;
  }

  /**
   * A modification of tasks.
   *
   * @param json a {@code ModifyRequest}; its claimant is ignored
   * @param claimed the task that is worked on: a change may leave out its queue
   * @throws EntroQException.InvalidArgument if it is malformed, or has anything else
   */
  static Modification modification(JsonNode json, Task claimed) {
    Modification.Builder modification = Modification.builder();
    if (json.isMissingNode() || json.isNull()) {
      return modification.build();
    }
    checkNames("modification", json, MODIFICATION);
    list(json, "inserts").forEach(insert -> modification.insert(insert(insert)));
    list(json, "changes").forEach(change -> modification.change(change(change)));
    list(json, "deletes").forEach(ref -> modification.delete(ref(ref, claimed)));
    list(json, "depends").forEach(ref -> modification.depend(ref(ref, claimed)));
    return modification.build();
  }

  private static Insert insert(JsonNode json) {
    checkNames("insert", json, DATA);
    Insert insert =
        Insert.into(text(json, "queue"))
            .withArrival(arrival(json))
            .withValue(value(json))
            .withAttempt(number(json, "attempt"), text(json, "err"));
    return text(json, "id").isEmpty() ? insert : insert.withId(text(json, "id"));
  }

  private static Change change(JsonNode json) {
    checkNames("change", json, CHANGE);
    String mode = text(json, "mode");
    if (!Set.of("", "CHANGE_DEFAULT", "CHANGE_RESET_CLAIMS").contains(mode)) {
      throw malformed("mode " + mode + " of a change is not possible here");
    }
    JsonNode data = json.path("newData");
    checkNames("newData", data, DATA);
    TaskRef task = ref(json.path("oldId"), null);
    String queue = text(data, "queue");
    Change change =
        new Change(
            task,
            queue.isEmpty() ? task.queue() : queue,
            arrival(data),
            value(data),
            number(data, "attempt"),
            text(data, "err"));
    return mode.equals("CHANGE_RESET_CLAIMS") ? change.resettingClaims() : change;
  }

  /** Times of long ago, and none, mean now. */
  private static Arrival arrival(JsonNode json) {
    long ms = longNumber(json, "atMs");
    try {
      return ms <= 0 ? Arrival.now() : Arrival.at(Instant.ofEpochMilli(ms));
    } catch (DateTimeException e) {
      throw new EntroQException.InvalidArgument("atMs is out of range: " + ms, e);
    }
  }

  private static Value value(JsonNode json) {
    return json.has("value") ? Json.write(json.get("value")) : Value.absent();
  }

  /** A claimed task need not be named with its queue. */
  private static TaskRef ref(JsonNode json, Task claimed) {
    checkNames("task", json, REF);
    TaskId id = TaskId.of(text(json, "id"));
    String queue = text(json, "queue");
    boolean isClaimed = claimed != null && claimed.id().equals(id) && queue.isEmpty();
    return new TaskRef(id, number(json, "version"), isClaimed ? claimed.queue() : queue);
  }

  private static Iterable<JsonNode> list(JsonNode json, String name) {
    JsonNode list = json.path(name);
    if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
      throw malformed(name + " must be a list");
    }
    return list;
  }

  static String text(JsonNode json, String name) {
    JsonNode text = json.path(name);
    if (text.isMissingNode() || text.isNull()) {
      return "";
    }
    if (!text.isTextual()) {
      throw malformed(name + " must be a text");
    }
    return text.textValue();
  }

  private static int number(JsonNode json, String name) {
    long number = longNumber(json, name);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw malformed(name + " is out of range");
    }
    return (int) number;
  }

  /** A number, or a text that is one. */
  private static long longNumber(JsonNode json, String name) {
    JsonNode number = json.path(name);
    if (number.isMissingNode() || number.isNull()) {
      return 0;
    }
    if (number.isIntegralNumber() && number.canConvertToLong()) {
      return number.longValue();
    }
    try {
      return Long.parseLong(number.isTextual() ? number.textValue() : "");
    } catch (NumberFormatException e) {
      throw new EntroQException.InvalidArgument(name + " must be an integer", e);
    }
  }

  private static void checkNames(String what, JsonNode json, Set<String> names) {
    if (!json.isObject()) {
      throw malformed(what + " must be an object");
    }
    for (Iterator<String> name = json.fieldNames(); name.hasNext(); ) {
      String next = name.next();
      if (!names.contains(next)) {
        throw malformed("%s of a %s is not possible here".formatted(Results.shorten(next), what));
      }
    }
  }

  private static EntroQException.InvalidArgument malformed(String message) {
    return new EntroQException.InvalidArgument(message);
  }
}
