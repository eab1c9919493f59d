package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Docs in JSON, over REST and by Connect, contract 1.2, 1.4 and 2.8. */
class DocRestTest {
  private static final String JSON = "Content-Type: application/json";

  private final HttpQueue served = new HttpQueue();

  @AfterEach
  void close() {
    served.close();
  }

  /** How to ask; both answer the same. */
  enum Protocol {
    REST {
      @Override
      RawResponse modify(RawHttp client, String body) {
        return client.post("/api/v0/modify", body, JSON);
      }

      @Override
      RawResponse claim(RawHttp client, String body) {
        return client.post("/api/v0/docs/claim", body);
      }

      @Override
      RawResponse docs(RawHttp client, String parameters, String body) {
        return client.get("/api/v0/docs?" + parameters);
      }

      @Override
      RawResponse stats(RawHttp client, String parameters, String body) {
        return client.get("/api/v0/namespaces/stats?" + parameters, JSON);
      }
    },

    CONNECT {
      @Override
      RawResponse modify(RawHttp client, String body) {
        return client.post("/api.EntroQ/Modify", body, JSON);
      }

      @Override
      RawResponse claim(RawHttp client, String body) {
        return client.post("/api.EntroQ/ClaimDocs", body, JSON);
      }

      @Override
      RawResponse docs(RawHttp client, String parameters, String body) {
        return client.post("/api.EntroQ/Docs", "{\"query\":" + body + "}", JSON);
      }

      @Override
      RawResponse stats(RawHttp client, String parameters, String body) {
        return client.post("/api.EntroQ/NamespaceStats", body, JSON);
      }
    };

    abstract RawResponse modify(RawHttp client, String body);

    abstract RawResponse claim(RawHttp client, String body);

    abstract RawResponse docs(RawHttp client, String parameters, String body);

    abstract RawResponse stats(RawHttp client, String parameters, String body);
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeADocThroughItsLife(Protocol protocol) throws Exception {
    JsonNode inserted =
        json(protocol.modify(
                served.client,
                "{\"claimantId\":\"me\",\"docInserts\":[{\"namespace\":\"n\",\"key\":\"k\","
                    + "\"secondaryKey\":\"s\",\"content\":{\"b\":1,\"a\":[1.5,null]},"
                    + "\"atMs\":\"0\",\"createdMs\":\"7\"}]}"))
            .at("/insertedDocs/0");
    assertThat(inserted.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "namespace", "id", "atMs", "key", "secondaryKey", "content", "createdMs", "modifiedMs");
    assertThat(inserted.get("id").asText()).matches("[0-9a-f]{16}");
    assertThat(inserted.get("createdMs").isTextual()).isTrue();
    assertThat(inserted.get("createdMs")).isEqualTo(inserted.get("modifiedMs"));
    assertThat(inserted.get("content").toString()).isEqualTo("{\"a\":[1.5,null],\"b\":1}");
    assertThat(listed(protocol)).containsExactly(inserted);

    JsonNode claimed =
        json(protocol.claim(
                served.client,
                "{\"claimQuery\":{\"namespace\":\"n\",\"claimant\":\"me\",\"key\":\"k\","
                    + "\"durationMs\":\"60000\"}}"))
            .at("/docs/0");
    assertThat(claimed.get("version").isInt()).isTrue();
    assertThat(claimed.get("version").asInt()).isEqualTo(1);
    assertThat(claimed.get("claimant").asText()).isEqualTo("me");
    assertThat(claimed.get("atMs").asLong())
        .isGreaterThanOrEqualTo(inserted.get("modifiedMs").asLong() + 60_000);
    assertThat(claimed.get("content")).isEqualTo(inserted.get("content"));

    String ref =
        "{\"namespace\":\"n\",\"id\":%s,\"version\":%s}"
            .formatted(inserted.get("id"), claimed.get("version"));
    JsonNode changed =
        json(protocol.modify(
                served.client,
                "{\"claimant_id\":\"me\",\"doc_changes\":[{\"old_id\":%s,\"new_data\":{\"content\":null}}]}"
                    .formatted(ref)))
            .at("/changedDocs/0");
    assertThat(changed.get("content").isNull()).isTrue();
    assertThat(changed.has("claimant")).isFalse();
    assertThat(changed.get("secondaryKey").asText()).isEqualTo("s");
    assertThat(changed.get("createdMs")).isEqualTo(inserted.get("createdMs"));

    assertThat(
            protocol
                .modify(
                    served.client,
                    "{\"docDeletes\":[{\"namespace\":\"n\",\"id\":%s,\"version\":2}]}"
                        .formatted(inserted.get("id")))
                .text())
        .isEqualTo("{}");
    assertThat(protocol.docs(served.client, "query.namespace=n", "{\"namespace\":\"n\"}").text())
        .isEqualTo("{}");
    assertThat(protocol.stats(served.client, "", "{}").text()).isEqualTo("{}");
  }

  @ParameterizedTest
  @EnumSource
  void shouldDistinguishAbsentContentFromNull(Protocol protocol) throws Exception {
    JsonNode inserted =
        json(protocol.modify(
                served.client,
                "{\"docInserts\":[{\"namespace\":\"n\",\"key\":\"a\",\"content\":null},"
                    + "{\"namespace\":\"n\",\"key\":\"b\"}]}"))
            .get("insertedDocs");
    List<JsonNode> listed = listed(protocol);
    assertThat(listed).containsExactly(inserted.get(0), inserted.get(1));
    assertThat(listed.get(0).get("content").isNull()).isTrue();
    assertThat(listed.get(1).has("content")).isFalse();
    assertThat(
            protocol
                .docs(
                    served.client,
                    "query.namespace=n&query.omitValues=true",
                    "{\"namespace\":\"n\",\"omitValues\":true}")
                .text())
        .doesNotContain("content");
    // A change that says nothing of it clears it.
    JsonNode changed =
        json(protocol.modify(
                served.client,
                "{\"docChanges\":[{\"oldId\":{\"namespace\":\"n\",\"id\":%s},\"newData\":{}}]}"
                    .formatted(listed.get(0).get("id"))))
            .at("/changedDocs/0");
    assertThat(changed.has("content")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void shouldListByKeysAndIdsAndCount(Protocol protocol) throws Exception {
    for (String key : List.of("b", "a", "c")) {
      insert(protocol, "n/1", key);
    }
    insert(protocol, "n/2", "a");
    insert(protocol, "other", "a");
    assertThat(
            ids(
                protocol,
                "query.namespace=n/1&query.keyStart=a&query.key_end=c",
                "{\"namespace\":\"n/1\",\"keyStart\":\"a\",\"key_end\":\"c\"}"))
        .containsExactly("id-a", "id-b");
    assertThat(
            ids(
                protocol,
                "query.namespace=n/1&query.limit=1",
                "{\"namespace\":\"n/1\",\"limit\":1}"))
        .containsExactly("id-a");
    assertThat(
            ids(
                protocol,
                "query.namespace=n/1&query.ids=id-c&query.ids=none&query.ids=id-a",
                "{\"namespace\":\"n/1\",\"ids\":[\"id-c\",\"none\",\"id-a\"]}"))
        .containsExactly("id-c", "id-a");

    json(
        protocol.claim(
            served.client,
            "{\"claim_query\":{\"namespace\":\"n/1\",\"claimant\":\"me\",\"key\":\"a\",\"duration_ms\":60000}}"));
    JsonNode stats =
        json(protocol.stats(
                served.client,
                "matchPrefix=n/&match_exact=other",
                "{\"matchPrefix\":[\"n/\"],\"match_exact\":[\"other\"]}"))
            .get("namespaces");
    assertThat(stats)
        .extracting(JsonNode::toString)
        .containsExactlyInAnyOrder(
            "{\"name\":\"n/1\",\"numDocs\":3,\"numClaimed\":1}",
            "{\"name\":\"n/2\",\"numDocs\":1}",
            "{\"name\":\"other\",\"numDocs\":1}");
    assertThat(json(protocol.stats(served.client, "limit=1", "{\"limit\":1}")).get("namespaces"))
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReportWhatAnotherClaimantHolds(Protocol protocol) throws Exception {
    insert(protocol, "n", "a");
    String claim =
        "{\"claimQuery\":{\"namespace\":\"n\",\"claimant\":\"%s\",\"key\":\"a\",\"durationMs\":60000}}";
    json(protocol.claim(served.client, claim.formatted("other")));
    RawResponse refused = protocol.claim(served.client, claim.formatted("me"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).contains("claim docs dependency error");
    if (protocol == Protocol.REST) {
      assertThat(refused.text())
          .contains(
              "{\"@type\":\"type.googleapis.com/api.ModifyDep\",\"type\":\"CLAIM\","
                  + "\"docId\":{\"namespace\":\"n\",\"key\":\"a\",\"version\":1}},"
                  + "{\"@type\":\"type.googleapis.com/api.ModifyDep\",\"type\":\"CLAIM\","
                  + "\"docId\":{\"namespace\":\"n\",\"id\":\"id-a\",\"version\":1}}");
    }
    // A set without docs is claimed, too.
    JsonNode empty =
        json(protocol.claim(served.client, claim.replace("\"a\"", "\"b\"").formatted("me")));
    assertThat(empty.has("docs")).isFalse();
    assertThat(empty.at("/sets/0/key").asText()).isEqualTo("b");
  }

  private void insert(Protocol protocol, String namespace, String key) throws IOException {
    json(
        protocol.modify(
            served.client,
            "{\"docInserts\":[{\"namespace\":\"%s\",\"id\":\"id-%s\",\"key\":\"%s\"}]}"
                .formatted(namespace, key, key)));
  }

  private List<JsonNode> listed(Protocol protocol) throws IOException {
    return List.copyOf(
        json(protocol.docs(served.client, "query.namespace=n", "{\"namespace\":\"n\"}"))
            .findParents("namespace"));
  }

  private List<String> ids(Protocol protocol, String parameters, String body) throws IOException {
    return json(protocol.docs(served.client, parameters, body)).findValuesAsText("id");
  }

  private static JsonNode json(RawResponse response) throws IOException {
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    return JsonMapper.builder().build().readTree(response.body());
  }
}
