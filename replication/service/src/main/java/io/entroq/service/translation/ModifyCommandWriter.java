package io.entroq.service.translation;

import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.Facades;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
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
  private Facade facade;
  private GatewayLimits limits;
  private Optional<Identity> identity;

  private ModifyCommandWriter() {}

  /** This thread's writer. */
  public static ModifyCommandWriter ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Writes a Modify to the start of a buffer.
   *
   * @param id the request's identity; empty: it will not be repeated
   * @return its length in bytes
   * @throws RefusedException if the request is wrong
   */
  public int write(
      MutableDirectBuffer buffer,
      Facade from,
      ModifyRequest request,
      Optional<Identity> id,
      GatewayLimits keepTo) {
    facade = from;
    limits = keepTo;
    identity = id;
    encoder.wrap(buffer, 0);
    identity.ifPresent(
        own -> encoder.identity(own.clientHigh(), own.clientLow(), own.number(), own.ackedBelow()));
    encoder.facade(facade == Facade.V0 ? Facades.V0 : Facades.V1);
    encoder.claimant(fields.id(facade.readId("claimant_id", request.getClaimantId())));
    each("inserts", request.getInsertsCount(), i -> insert(i, request.getInserts(i)));
    each("changes", request.getChangesCount(), i -> change(request.getChanges(i)));
    each("deletes", request.getDeletesCount(), i -> delete(request.getDeletes(i)));
    each("depends", request.getDependsCount(), i -> depend(request.getDepends(i)));
    if (facade == Facade.V1 && request.hasThenClaim()) {
      thenClaim(request.getThenClaim());
    }
    if (facade == Facade.V1) {
      docs(request);
    }
    return encoder.queueTasksMax(limits.queueTasksMax()).length();
  }

  private void docs(ModifyRequest request) {
    each("doc_inserts", request.getDocInsertsCount(), i -> insert(i, request.getDocInserts(i)));
    each(
        "doc_changes",
        request.getDocChangesCount(),
        i -> encoder.docChange(docs.change(request.getDocChanges(i), limits.valueBytesMax())));
    each(
        "doc_deletes",
        request.getDocDeletesCount(),
        i -> {
          DocDataFields ref = docs.ref(request.getDocDeletes(i));
          encoder.docDelete(ref.namespace(), ref.id(), request.getDocDeletes(i).getVersion());
        });
    each(
        "doc_depends",
        request.getDocDependsCount(),
        i -> {
          DocDataFields ref = docs.ref(request.getDocDepends(i));
          encoder.docDepend(ref.namespace(), ref.id(), request.getDocDepends(i).getVersion());
        });
  }

  private void insert(int index, DocData request) {
    IdKey id = insertId(request, identity, index);
    encoder.docInsert(docs.insert(request, id, limits.valueBytesMax()));
  }

  /** The id of a doc to insert: the given one, or a new one. */
  static IdKey insertId(DocData insert, Optional<Identity> identity, int index) {
    return insert.getId().isEmpty()
        ? RequestIdentities.newDocId(identity, index)
        : Facade.V1.readId("id", insert.getId());
  }

  private void insert(int index, TaskData request) {
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
        in("new_data", () -> fields.data(facade, request.getNewData(), limits.valueBytesMax()));
    encoder.change(fields.id(id), task.getVersion(), data);
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

  private static void each(String list, int count, Item item) {
    for (int i = 0; i < count; i++) {
      try {
        item.write(i);
      } catch (RefusedException e) {
        throw e.in(list + "[" + i + "]");
      }
    }
  }

  private static <T> T in(String field, Supplier<T> part) {
    try {
      return part.get();
    } catch (RefusedException e) {
      throw e.in(field);
    }
  }

  /** Writes one item of a list. */
  @FunctionalInterface
  private interface Item {
    void write(int index);
  }
}
