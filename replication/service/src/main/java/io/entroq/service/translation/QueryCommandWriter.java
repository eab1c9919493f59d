package io.entroq.service.translation;

import io.entroq.codec.message.Facades;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListPoliciesEncoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.TaskPositionEncoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/** Writes the engine's query for one request. */
public final class QueryCommandWriter {
  private final FieldWriter fields = new FieldWriter();

  /** For one request. */
  public QueryCommandWriter() {}

  /**
   * The ids that a listing asks for, without empty ones.
   *
   * @throws RefusedException if one is invalid
   */
  public static List<IdKey> ids(Facade facade, TasksRequest request) {
    return ids(facade, "task_id", request.getTaskIdList());
  }

  /**
   * Writes a ListTasks to the start of a buffer.
   *
   * @param ids from {@link #ids}
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int tasks(
      MutableDirectBuffer buffer, Facade facade, TasksRequest request, List<IdKey> ids) {
    ListTasksEncoder encoder = new ListTasksEncoder().wrap(buffer, 0);
    encoder.queue(fields.name("queue", request.getQueue()));
    for (IdKey id : ids) {
      encoder.id(fields.id(id));
    }
    // Optional here, unlike in a Modify.
    IdKey claimant =
        request.getClaimantId().isEmpty()
            ? IdKey.NOBODY
            : facade.readId("claimant_id", request.getClaimantId());
    return encoder
        .claimant(fields.id(claimant))
        .limit(request.getLimit())
        .omitsValues(request.getOmitValues())
        .facade(facade == Facade.V0 ? Facades.V0 : Facades.V1)
        .length();
  }

  /**
   * Writes a ListQueues to the start of a buffer.
   *
   * @param omitStats whether to omit all but names and sizes
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int queues(MutableDirectBuffer buffer, QueuesRequest request, boolean omitStats) {
    ListQueuesEncoder encoder = new ListQueuesEncoder().wrap(buffer, 0);
    for (int i = 0; i < request.getMatchPrefixCount(); i++) {
      encoder.matchPrefix(fields.name("match_prefix[" + i + "]", request.getMatchPrefix(i)));
    }
    for (int i = 0; i < request.getMatchExactCount(); i++) {
      encoder.matchExact(fields.name("match_exact[" + i + "]", request.getMatchExact(i)));
    }
    return encoder.limit(request.getLimit()).omitsStats(omitStats).length();
  }

  /**
   * The ids that a listing of docs asks for, without empty ones.
   *
   * @throws RefusedException if one is invalid
   */
  public static List<IdKey> ids(DocQuery query) {
    return ids(Facade.V1, "query.ids", query.getIdsList());
  }

  private static List<IdKey> ids(Facade facade, String field, List<String> texts) {
    List<IdKey> ids = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      IdKey id = facade.readId(field + "[" + i + "]", texts.get(i));
      if (!id.isNobody()) {
        ids.add(id);
      }
    }
    return ids;
  }

  /**
   * Writes a ListDocs to the start of a buffer.
   *
   * @param ids from {@link #ids}
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int docs(MutableDirectBuffer buffer, DocQuery query, List<IdKey> ids) {
    ListDocsEncoder encoder = new ListDocsEncoder().wrap(buffer, 0);
    encoder.namespace(fields.name("query.namespace", query.getNamespace()));
    for (IdKey id : ids) {
      encoder.id(fields.id(id));
    }
    return encoder
        .keyStart(fields.name("query.key_start", query.getKeyStart()))
        .keyEnd(fields.name("query.key_end", query.getKeyEnd()))
        .limit(query.getLimit())
        .omitsValues(query.getOmitValues())
        .keyExact(fields.name("query.key_exact", query.getKeyExact()))
        .length();
  }

  /**
   * Writes a ListPolicies to the start of a buffer. It may list more than those of an exact name.
   *
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int policies(MutableDirectBuffer buffer, ListPoliciesRequest request) {
    boolean isExact = !request.getName().isEmpty();
    return new ListPoliciesEncoder()
        .wrap(buffer, 0)
        .kind(request.hasKind() ? PolicyWriter.kind(request.getKind()) : 0)
        .hasKind(request.hasKind())
        .prefix(
            isExact
                ? fields.name("name", request.getName())
                : fields.name("prefix", request.getPrefix()))
        .limit(isExact ? 0 : request.getLimit())
        .length();
  }

  /**
   * Writes a TaskPosition to the start of a buffer.
   *
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int position(MutableDirectBuffer buffer, PositionRequest request) {
    IdKey id = Facade.V1.readId("task_id", request.getTaskId());
    if (id.isNobody()) {
      throw RefusedException.invalid("task_id is empty");
    }
    return new TaskPositionEncoder()
        .wrap(buffer, 0)
        .id(fields.id(id))
        .queue(fields.name("queue", request.getQueue()))
        .length();
  }

  /**
   * Writes a ListNamespaces to the start of a buffer.
   *
   * @return its length in bytes
   * @throws RefusedException if the request is invalid
   */
  public int namespaces(MutableDirectBuffer buffer, NamespacesRequest request) {
    ListNamespacesEncoder encoder = new ListNamespacesEncoder().wrap(buffer, 0);
    for (int i = 0; i < request.getMatchPrefixCount(); i++) {
      encoder.matchPrefix(fields.name("match_prefix[" + i + "]", request.getMatchPrefix(i)));
    }
    for (int i = 0; i < request.getMatchExactCount(); i++) {
      encoder.matchExact(fields.name("match_exact[" + i + "]", request.getMatchExact(i)));
    }
    return encoder.limit(request.getLimit()).length();
  }
}
