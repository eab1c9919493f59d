package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocSet;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tasks, docs and modifications in the JSON of EntroQ's protobuf messages, for the gateway. */
final class GatewayJson {
  private static final Set<String> MODIFICATION =
      Set.of(
          "claimantId",
          "inserts",
          "changes",
          "deletes",
          "depends",
          "docInserts",
          "docChanges",
          "docDeletes",
          "docDepends");
  private static final Set<String> CHANGE = Set.of("oldId", "newData", "mode");
  private static final Set<String> DATA = Set.of("queue", "atMs", "value", "id", "attempt", "err");
  private static final Set<String> REF = Set.of("id", "version", "queue");
  private static final Set<String> DOC_CHANGE = Set.of("oldId", "newData");
  private static final Set<String> DOC_DATA =
      Set.of("namespace", "id", "key", "secondaryKey", "content", "atMs");
  private static final Set<String> DOC_REF = Set.of("namespace", "id", "version");
  private static final Set<String> DOC_CLAIM = Set.of("namespace", "key");

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
    ModifyResult.DocFailures docs = failure.docs();
    docs.collisions()
        .forEach(id -> addDoc(list, "INSERT", docRef(id.namespace(), "id", id.id(), 0)));
    docs.changes().forEach(ref -> addDoc(list, "CHANGE", docRef(ref)));
    docs.deletes().forEach(ref -> addDoc(list, "DELETE", docRef(ref)));
    docs.depends().forEach(ref -> addDoc(list, "DEPEND", docRef(ref)));
    docs.claims().forEach(ref -> list.addObject().set("docId", docRef(ref)));
    docs.setChanges().forEach(set -> addDoc(list, "CHANGE", docRef(set)));
    docs.setDepends().forEach(set -> addDoc(list, "DEPEND", docRef(set)));
    docs.setClaims().forEach(set -> list.addObject().set("docId", docRef(set)));
    return list;
  }

  private static void addDoc(ArrayNode list, String type, ObjectNode ref) {
    ObjectNode entry = list.addObject();
    entry.put("type", type);
    entry.set("docId", ref);
  }

  private static ObjectNode docRef(Doc.Ref ref) {
    return docRef(ref.id().namespace(), "id", ref.id().id(), ref.version());
  }

  private static ObjectNode docRef(DocSet.Ref set) {
    return docRef(set.namespace(), "key", set.key(), set.version());
  }

  private static ObjectNode docRef(String namespace, String name, String text, int version) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("namespace", namespace);
    json.put(name, text);
    putNumber(json, "version", version);
    return json;
  }

  /** All docs of claimed sets. */
  static ArrayNode docs(List<Doc> docs) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    docs.forEach(doc -> list.add(doc(doc)));
    return list;
  }

  /** Claimed sets, each with its docs. */
  static ArrayNode groups(DocClaimResult.Claimed claimed) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    for (DocSet set : claimed.sets()) {
      ObjectNode json = list.addObject();
      json.put("namespace", set.namespace());
      json.put("key", set.key());
      putNumber(json, "version", set.version());
      putText(json, "claimant", set.claimant());
      json.put("atMs", Long.toString(set.arrivalTime().toEpochMilli()));
      putNumber(json, "numDocs", set.docs());
      json.set("docs", docs(claimed.docs().stream().filter(doc -> isIn(doc, set)).toList()));
    }
    return list;
  }

  private static boolean isIn(Doc doc, DocSet set) {
    return doc.id().namespace().equals(set.namespace()) && doc.key().equals(set.key());
  }

  private static ObjectNode doc(Doc doc) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("namespace", doc.id().namespace());
    json.put("id", doc.id().id());
    putNumber(json, "version", doc.version());
    putText(json, "claimant", doc.claimant());
    json.put("atMs", Long.toString(doc.arrivalTime().toEpochMilli()));
    putText(json, "key", doc.key());
    putText(json, "secondaryKey", doc.secondaryKey());
    if (!doc.value().isAbsent()) {
      json.set("content", value(doc.value()));
    }
    json.put("createdMs", Long.toString(doc.created().toEpochMilli()));
    json.put("modifiedMs", Long.toString(doc.modified().toEpochMilli()));
    return json;
  }

  /**
   * The doc sets that a program asks for, sorted, so that programs that need the same ones do not
   * keep them from each other.
   *
   * @return empty if it needs none
   * @throws EntroQException.InvalidArgument if the answer is malformed
   */
  static Optional<DocClaim> docClaim(JsonNode answer) {
    List<DocClaim> claims = new ArrayList<>();
    for (JsonNode claim : list(answer, "claims")) {
      checkNames("claim", claim, DOC_CLAIM);
      claims.add(DocClaim.of(text(claim, "namespace"), text(claim, "key")));
    }
    List<DocClaim.Target> sets =
        claims.stream()
            .flatMap(claim -> claim.sets().stream())
            .distinct()
            .sorted(
                Comparator.comparing(DocClaim.Target::namespace)
                    .thenComparing(DocClaim.Target::key))
            .toList();
    return sets.isEmpty()
        ? Optional.empty()
        : Optional.of(new DocClaim(sets, Claim.DEFAULT_LEASE, Optional.empty(), ""));
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
   * A modification of tasks and docs.
   *
   * @param json a {@code ModifyRequest}; its claimant is ignored
   * @param claimed the task that is worked on: deletes and depends may leave out its queue, changes
   *     not
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
    list(json, "docInserts").forEach(insert -> modification.insertDoc(docInsert(insert)));
    list(json, "docChanges").forEach(change -> modification.changeDoc(docChange(change)));
    list(json, "docDeletes").forEach(ref -> modification.deleteDoc(docRef(ref)));
    list(json, "docDepends").forEach(ref -> modification.dependOnDoc(docRef(ref)));
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

  private static DocInsert docInsert(JsonNode json) {
    checkNames("doc", json, DOC_DATA);
    String id = text(json, "id");
    return new DocInsert(
        text(json, "namespace"),
        id.isEmpty() ? Optional.empty() : Optional.of(id),
        text(json, "key"),
        text(json, "secondaryKey"),
        arrival(json),
        content(json));
  }

  /** The keys of a doc do not change, whatever the new data says. */
  private static DocChange docChange(JsonNode json) {
    checkNames("doc change", json, DOC_CHANGE);
    JsonNode data = json.path("newData");
    checkNames("newData", data, DOC_DATA);
    return new DocChange(docRef(json.path("oldId")), arrival(data), content(data));
  }

  private static Value content(JsonNode json) {
    return json.has("content") ? Value.json(json.get("content").toString()) : Value.absent();
  }

  private static Doc.Ref docRef(JsonNode json) {
    checkNames("doc", json, DOC_REF);
    return new Doc.Ref(
        new Doc.Id(text(json, "namespace"), text(json, "id")), number(json, "version"));
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
    return json.has("value") ? Value.json(json.get("value").toString()) : Value.absent();
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
