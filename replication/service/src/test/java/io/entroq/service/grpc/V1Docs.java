package io.entroq.service.grpc;

import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.ClaimDocsResponse;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocChange;
import io.entroq.codec.wire.published.v1.DocClaim;
import io.entroq.codec.wire.published.v1.DocData;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.DocsResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.NamespaceStat;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.NamespacesResponse;
import java.util.List;

/** What tests ask of docs over the v1 API. */
public record V1Docs(WireClient client) {
  /** A doc as a Go client would insert it, with its notion of no time. */
  public static DocData.Builder data(String namespace, String key, String secondaryKey) {
    return DocData.newBuilder()
        .setNamespace(namespace)
        .setKey(key)
        .setSecondaryKey(secondaryKey)
        .setCreatedMs(ServedQueue.GO_NO_TIME_MS)
        .setModifiedMs(ServedQueue.GO_NO_TIME_MS)
        .setAtMs(ServedQueue.GO_NO_TIME_MS);
  }

  public static DocID.Builder ref(Doc doc) {
    return DocID.newBuilder()
        .setNamespace(doc.getNamespace())
        .setId(doc.getId())
        .setVersion(doc.getVersion());
  }

  /** A change as Go clients send it: namespace, id and keys stand in the new data once more. */
  public static DocChange.Builder change(Doc doc) {
    return DocChange.newBuilder()
        .setOldId(ref(doc))
        .setNewData(
            data(doc.getNamespace(), doc.getKey(), doc.getSecondaryKey()).setId(doc.getId()));
  }

  public ModifyResponse modify(ModifyRequest.Builder request) {
    return new V1(client).modify(request);
  }

  public Doc insert(DocData.Builder data) {
    return modify(ModifyRequest.newBuilder().setClaimantId("inserter").addDocInserts(data))
        .getInsertedDocs(0);
  }

  public List<Doc> docs(DocQuery.Builder query) {
    return client
        .call(
            "api.EntroQ/Docs",
            DocsRequest.newBuilder().setQuery(query).build(),
            DocsResponse.getDefaultInstance())
        .getDocsList();
  }

  public Doc doc(String namespace, String id) {
    return docs(DocQuery.newBuilder().setNamespace(namespace).addIds(id)).get(0);
  }

  public List<Doc> claim(String claimant, String namespace, String key) {
    return claim(claim(claimant, namespace, key, 30_000));
  }

  public List<Doc> claim(ClaimDocsRequest.Builder request) {
    return client
        .call("api.EntroQ/ClaimDocs", request.build(), ClaimDocsResponse.getDefaultInstance())
        .getDocsList();
  }

  public static ClaimDocsRequest.Builder claim(
      String claimant, String namespace, String key, long durationMs) {
    return ClaimDocsRequest.newBuilder()
        .setClaimQuery(
            DocClaim.newBuilder()
                .setClaimant(claimant)
                .setNamespace(namespace)
                .setKey(key)
                .setDurationMs(durationMs));
  }

  public List<NamespaceStat> namespaces(NamespacesRequest.Builder request) {
    return client
        .call("api.EntroQ/NamespaceStats", request.build(), NamespacesResponse.getDefaultInstance())
        .getNamespacesList();
  }
}
