package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import io.grpc.Status;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A field that the server does not know is refused, wherever it is and by whichever way it comes:
 * with every message type that a request can have, from the schema.
 */
class StrictDecodingTest {
  private static final int UNKNOWN = 99;
  private static final String MISSPELT = "misspelt";

  private static ServedTransports undeclared;
  private static ServedTransports two;

  /** A place in a request for an unknown field. */
  private record Place(MethodDescriptor method, List<FieldDescriptor> path) {
    /** As messages name it. */
    String inWords() {
      StringBuilder words = new StringBuilder();
      path.forEach(
          field -> {
            words.append(words.isEmpty() ? "" : ".").append(field.getName());
            words.append(field.isRepeated() ? "[0]" : "");
          });
      return words.toString();
    }

    /** The request with an unknown field in this place. */
    Message request() {
      return request(method.getInputType(), path);
    }

    private static Message request(Descriptor type, List<FieldDescriptor> path) {
      DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
      if (path.isEmpty()) {
        UnknownFieldSet.Field field = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
        return message
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(UNKNOWN, field).build())
            .build();
      }
      FieldDescriptor first = path.get(0);
      Message inner = request(first.getMessageType(), path.subList(1, path.size()));
      return (first.isRepeated()
              ? message.addRepeatedField(first, inner)
              : message.setField(first, inner))
          .build();
    }

    /** The request in JSON with an unknown member in this place. */
    JsonNode json() {
      ObjectNode request = RequestJson.of(request()).map(ObjectNode.class::cast).orElseThrow();
      ObjectNode place = request;
      for (FieldDescriptor field : path) {
        JsonNode next = place.get(field.getJsonName());
        place = (ObjectNode) (field.isRepeated() ? next.get(0) : next);
      }
      place.put(MISSPELT, 1);
      return request;
    }

    @Override
    public String toString() {
      return method.getName() + " " + inWords();
    }
  }

  @BeforeAll
  static void open() throws IOException {
    undeclared = new ServedTransports();
    two = undeclared.declaring("2");
  }

  @AfterAll
  static void close() {
    two.close();
    undeclared.close();
  }

  static List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (MethodDescriptor method :
        PublishedV1Proto.getDescriptor().findServiceByName("EntroQ").getMethods()) {
      if (!method.isServerStreaming()) {
        collect(method, method.getInputType(), List.of(), places);
      }
    }
    return places;
  }

  private static void collect(
      MethodDescriptor method, Descriptor type, List<FieldDescriptor> path, List<Place> places) {
    places.add(new Place(method, path));
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && field.getMessageType().getFile().equals(PublishedV1Proto.getDescriptor())) {
        List<FieldDescriptor> inner = new ArrayList<>(path);
        inner.add(field);
        collect(method, field.getMessageType(), inner, places);
      }
    }
  }

  @Test
  void shouldKnowEveryPlace() {
    assertThat(places().stream().map(Place::toString))
        .contains("Modify changes[0].new_data", "Modify then_claim", "Docs query", "Time ");
  }

  @ParameterizedTest
  @MethodSource("places")
  void shouldNameAnUnknownFieldOfABinaryRequest(Place place) {
    for (ServedTransports doors : List.of(undeclared, two)) {
      for (Transport way : List.of(Transport.V1, Transport.CONNECT_PROTO)) {
        TransportAnswer answer =
            way.ask(doors, new TransportRequest(place.method.getName(), place.request()))
                .orElseThrow();
        assertThat(answer.code()).as("%s: %s", way, answer).isEqualTo(Status.Code.INVALID_ARGUMENT);
        String where = place.path.isEmpty() ? "" : place.inWords() + " ";
        assertThat(answer.message())
            .startsWith(label(place.method) + ": the request, of protocol ")
            .contains("protocol " + (doors == two ? 2 : 1))
            .contains("does not know: " + where + "field " + UNKNOWN + ". It serves protocols 1,2");
      }
    }
  }

  @Test
  void shouldNameAllUnknownFields() {
    Place outer = place("Modify inserts[0]");
    Message request =
        outer.request().toBuilder()
            .setUnknownFields(place("Time ").request().getUnknownFields())
            .build();
    assertThat(Transport.V1.ask(undeclared, new TransportRequest("Modify", request)).orElseThrow())
        .extracting(TransportAnswer::message)
        .asString()
        .contains("field 99, inserts[0] field 99");
  }

  private static Place place(String name) {
    return places().stream()
        .filter(place -> place.toString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String label(MethodDescriptor method) {
    return switch (method.getName()) {
      case "TryClaim" -> "try claim";
      case "ClaimDocs" -> "claim docs";
      case "CancelClaim" -> "cancel claim";
      case "QueueStats" -> "queue stats";
      case "NamespaceStats" -> "namespace stats";
      default -> method.getName().toLowerCase(java.util.Locale.ROOT);
    };
  }

  @ParameterizedTest
  @MethodSource("places")
  void shouldNameAnUnknownMemberOfAJsonRequest(Place place) {
    for (ServedTransports doors : List.of(undeclared, two)) {
      HttpResponse<byte[]> answer =
          doors.post(
              "/api.EntroQ/" + place.method.getName(),
              "application/json",
              place.json().toString().getBytes(StandardCharsets.UTF_8));
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      assertThat(answer.statusCode()).as(text).isEqualTo(400);
      assertThat(text)
          .contains("\"code\":\"invalid_argument\"")
          .contains("request does not match what this server, ")
          .contains(", serves (protocols 1,2): ")
          .contains("unknown field \\\"" + MISSPELT + "\\\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"modify", "claim", "claim/wait", "docs/claim"})
  void shouldNameAnUnknownMemberOverRest(String path) {
    HttpResponse<byte[]> answer =
        undeclared.post(
            "/api/v0/" + path,
            "application/json",
            "{\"misspelt\":{\"a\":[1]}}".getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .startsWith("{\"code\":3,\"message\":\"request does not match what this server, ")
        .contains("unknown field \\\"misspelt\\\"");
  }

  /** A misspelt field of a task lost the task. */
  @Test
  void shouldNotInsertATaskWithAMisspeltValue() {
    HttpResponse<byte[]> answer =
        two.post(
            "/api/v0/modify",
            "application/json",
            "{\"claimantId\":\"me\",\"inserts\":[{\"queue\":\"lost\",\"valu\":{\"x\":1}}]}"
                .getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("/inserts/0", "valu");
    assertThat(new String(two.get("/api/v0/queues").body(), StandardCharsets.UTF_8))
        .doesNotContain("lost");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time?x=1",
        "tasks?queue=q&que=1",
        "queues?prefix=a",
        "docs?namespace=n",
        "docs?query.namespace=n&keyExact=k",
        "docs?query.nam=n"
      })
  void shouldNameAnUnknownParameter(String target) {
    HttpResponse<byte[]> answer = undeclared.get("/api/v0/" + target);
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    assertThat(answer.statusCode()).as(text).isEqualTo(400);
    String parameter =
        target.substring(Math.max(target.lastIndexOf('?'), target.lastIndexOf('&')) + 1);
    assertThat(text)
        .startsWith("{\"code\":3,\"message\":\"request does not match what this server, ")
        .contains("parameter " + parameter.substring(0, parameter.indexOf('=')) + ": unknown");
  }

  /** Clients of the older API may be of any age. */
  @Test
  void shouldSkipUnknownFieldsInTheOlderApi() {
    Message request =
        io.entroq.codec.wire.published.v1.QueuesRequest.newBuilder()
            .setUnknownFields(place("Time ").request().getUnknownFields())
            .build();
    assertThat(Transport.V0.ask(undeclared, new TransportRequest("Queues", request)))
        .contains(TransportAnswer.OK);
  }

  /** As all other extensions. */
  @Test
  void shouldKnowItsOwnExtensions() {
    Map<String, Object> extensions =
        Map.of("limit", 1, "rawValues", true, "claimantId", "me", "queues", List.of("none"));
    HttpResponse<byte[]> answer =
        two.post(
            "/api/v0/claim",
            "application/json",
            new com.fasterxml.jackson.databind.ObjectMapper()
                .valueToTree(extensions)
                .toString()
                .getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode()).isEqualTo(200);
  }
}
