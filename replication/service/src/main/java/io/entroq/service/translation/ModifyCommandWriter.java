package io.entroq.service.translation;

import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.Facades;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskFail;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.gateway.Identity;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Writes the engine's Modify for a request. Reused; one thread at a time. */
public final class ModifyCommandWriter {
  private static final ThreadLocal<ModifyCommandWriter> OF_THREAD =
      ThreadLocal.withInitial(ModifyCommandWriter::new);

  private final ModifyEncoder encoder = new ModifyEncoder();
  private final FieldWriter fields = new FieldWriter();
  private final DocWriter docs = new DocWriter();
  private final PolicyWriter policies = new PolicyWriter();
  private Facade facade;
  private GatewayLimits limits;
  private Optional<Identity> identity;

  /** The list of the current item, for errors; null outside lists. */
  private String list;

  private int index;

  private ModifyCommandWriter() {}

  /** This thread's writer. */
  public static ModifyCommandWriter ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Writes a Modify to the start of a buffer.
   *
   * @param id the request's identity; empty if it has none
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int write(
      MutableDirectBuffer buffer,
      Facade newFacade,
      ModifyRequest request,
      Optional<Identity> id,
      GatewayLimits newLimits) {
    facade = newFacade;
    limits = newLimits;
    identity = id;
    list = null;
    try {
      return write(buffer, request);
    } catch (RefusedException e) {
      throw list == null ? e : e.in(list + "[" + index + "]");
    }
  }

  private int write(MutableDirectBuffer buffer, ModifyRequest request) {
    encoder.wrap(buffer, 0);
    if (identity.isPresent()) {
      Identity own = identity.get();
      encoder.identity(own.clientHigh(), own.clientLow(), own.number(), own.ackedBelow());
    }
    encoder.facade(facade == Facade.V0 ? Facades.V0 : Facades.V1);
    encoder.claimant(fields.id(facade.readId("claimant_id", request.getClaimantId())));
    tasks(request);
    if (facade == Facade.V1) {
      if (request.hasThenClaim()) {
        thenClaim(request.getThenClaim());
      }
      docs(request);
    }
    encoder.queueTasksMax(limits.queueTasksMax());
    if (facade == Facade.V1) {
      policies(request);
    }
    return encoder.length();
  }

  private void policies(ModifyRequest request) {
    list = "policy_puts";
    for (index = 0; index < request.getPolicyPutsCount(); index++) {
      policies.put(request.getPolicyPuts(index), encoder);
    }
    list = "policy_deletes";
    for (index = 0; index < request.getPolicyDeletesCount(); index++) {
      policies.delete(request.getPolicyDeletes(index), encoder);
    }
    list = "pauses";
    for (index = 0; index < request.getPausesCount(); index++) {
      policies.pause(request.getPauses(index), encoder);
    }
    list = "fails";
    for (index = 0; index < request.getFailsCount(); index++) {
      fail(request.getFails(index));
    }
    list = null;
    if (request.getPolicyPutsCount() + request.getPausesCount() > 0) {
      encoder.policiesMax(limits.policiesMax());
    }
  }

  private void fail(TaskFail request) {
    TaskID task = request.getId();
    IdKey id = in("id", () -> FieldWriter.taskId(facade, task));
    if (request.getDelayMs() < 0) {
      throw RefusedException.invalid("delay_ms: negative: " + request.getDelayMs());
    }
    String queue = task.getQueue().isEmpty() ? FieldWriter.NOWHERE : task.getQueue();
    encoder.fail(
        fields.id(id),
        task.getVersion(),
        fields.name("id.queue", queue),
        fields.err(request.getErr()),
        request.getDelayMs(),
        request.hasDelayMs());
  }

  private void tasks(ModifyRequest request) {
    list = "inserts";
    for (index = 0; index < request.getInsertsCount(); index++) {
      insert(request.getInserts(index));
    }
    list = "changes";
    for (index = 0; index < request.getChangesCount(); index++) {
      change(request.getChanges(index));
    }
    list = "deletes";
    for (index = 0; index < request.getDeletesCount(); index++) {
      delete(request.getDeletes(index));
    }
    list = "depends";
    for (index = 0; index < request.getDependsCount(); index++) {
      depend(request.getDepends(index));
    }
    list = null;
  }

  private void docs(ModifyRequest request) {
    list = "doc_inserts";
    for (index = 0; index < request.getDocInsertsCount(); index++) {
      insert(request.getDocInserts(index));
    }
    list = "doc_changes";
    for (index = 0; index < request.getDocChangesCount(); index++) {
      encoder.docChange(docs.change(request.getDocChanges(index), limits.valueBytesMax()));
    }
    list = "doc_deletes";
    for (index = 0; index < request.getDocDeletesCount(); index++) {
      DocID doc = request.getDocDeletes(index);
      DocDataFields ref = docs.ref(doc);
      encoder.docDelete(ref.namespace(), ref.id(), doc.getVersion(), ref.key());
    }
    list = "doc_depends";
    for (index = 0; index < request.getDocDependsCount(); index++) {
      DocID doc = request.getDocDepends(index);
      DocDataFields ref = docs.ref(doc);
      encoder.docDepend(ref.namespace(), ref.id(), doc.getVersion(), ref.key());
    }
    list = null;
  }

  private void insert(DocData request) {
    IdKey id = insertId(request, identity, index);
    encoder.docInsert(docs.insert(request, id, limits.valueBytesMax()));
  }

  /** The id of a doc to insert: the given one, or a new one. */
  static IdKey insertId(DocData insert, Optional<Identity> identity, int index) {
    return insert.getId().isEmpty()
        ? RequestIdentities.newDocId(identity, index)
        : Facade.V1.readId("id", insert.getId());
  }

  private void insert(TaskData request) {
    TaskDataFields data = fields.data(facade, request, limits.valueBytesMax());
    encoder.insert(fields.id(insertId(facade, request, identity, index)), data);
  }

  /** The id of a task to insert: the given one, or a new one. */
  static IdKey insertId(Facade facade, TaskData insert, Optional<Identity> identity, int index) {
    IdKey given = insert.getId().isEmpty() ? IdKey.NOBODY : facade.readId("id", insert.getId());
    return given.isNobody() ? RequestIdentities.newId(facade, identity, index) : given;
  }

  private void change(TaskChange request) {
    if (!request.hasOldId()) {
      throw RefusedException.invalid("old_id: missing");
    }
    if (!request.hasNewData()) {
      throw RefusedException.invalid("new_data: missing");
    }
    TaskID task = request.getOldId();
    IdKey id = in("old_id", () -> FieldWriter.taskId(facade, task));
    TaskDataFields data =
        in(
            "new_data",
            () ->
                fields.data(facade, request.getNewData(), queue(request), limits.valueBytesMax()));
    boolean isV1 = facade == Facade.V1;
    encoder.change(
        fields.id(id),
        task.getVersion(),
        data,
        isV1 ? mode(request) : ChangeModes.DEFAULT,
        // The v0 API finds the task in any queue.
        fields.name("queue", isV1 ? task.getQueue() : ""));
  }

  private static int mode(TaskChange change) {
    return switch (change.getMode()) {
      case CHANGE_RESET_CLAIMS -> ChangeModes.RESET_CLAIMS;
      case CHANGE_LEASE -> ChangeModes.LEASE;
      case CHANGE_TAKE_BACK -> ChangeModes.TAKE_BACK;
      default -> ChangeModes.DEFAULT;
    };
  }

  /**
   * The queue of a changed task. In the v1 API, it stays in its queue if none is given; without any
   * queue, the change fails, since the task must be in the old one.
   */
  private String queue(TaskChange change) {
    String queue = change.getNewData().getQueue();
    if (!queue.isEmpty() || facade == Facade.V0) {
      return queue;
    }
    String old = change.getOldId().getQueue();
    return old.isEmpty() ? FieldWriter.NOWHERE : old;
  }

  private void delete(TaskID task) {
    IdKey id = FieldWriter.taskId(facade, task);
    encoder.delete(fields.id(id), task.getVersion(), fields.name("queue", task.getQueue()));
  }

  private void depend(TaskID task) {
    IdKey id = FieldWriter.taskId(facade, task);
    encoder.depend(fields.id(id), task.getVersion(), fields.name("queue", task.getQueue()));
  }

  private void thenClaim(ClaimRequest request) {
    ExpandableArrayBuffer inner = new ExpandableArrayBuffer();
    int length = in("then_claim", () -> ClaimCommandWriter.ofThread().writeInner(inner, request));
    encoder.thenClaim(inner, 0, length);
  }

  private static <T> T in(String field, Supplier<T> part) {
    try {
      return part.get();
    } catch (RefusedException e) {
      throw e.in(field);
    }
  }
}
