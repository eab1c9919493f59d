package io.entroq.codec.wire.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.feed.PublishedFeedProto;
import io.entroq.codec.wire.published.insight.PublishedInsightProto;
import io.entroq.codec.wire.published.queues.PublishedQueuesProto;
import io.entroq.codec.wire.published.stream.PublishedStreamProto;
import io.entroq.codec.wire.published.v0.PublishedV0Proto;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages that we handle and those that we publish are the same on the wire. */
class EdgeFieldsTest {
  private static final int EXTENSIONS_FROM = 100;

  private final FileDescriptor edge = EdgeProto.getDescriptor();
  private final FileDescriptor v0 = PublishedV0Proto.getDescriptor();
  private final FileDescriptor v1 = PublishedV1Proto.getDescriptor();

  @Test
  void shouldHaveExactlyTheMessagesOfTheV1ApiAndItsExtension() {
    List<Descriptor> published =
        Stream.of(v1, PublishedQueuesProto.getDescriptor())
            .flatMap(file -> file.getMessageTypes().stream())
            .toList();
    assertThat(names(edge))
        .isEqualTo(published.stream().map(Descriptor::getName).sorted().toList());
    for (Descriptor message : published) {
      assertThat(fields(edge.findMessageTypeByName(message.getName())))
          .as(message.getName())
          .isEqualTo(fields(message));
    }
  }

  @Test
  void shouldHaveExactlyTheMessagesOfStreams() {
    assertSame(EdgeStreamProto.getDescriptor(), PublishedStreamProto.getDescriptor());
  }

  @Test
  void shouldHaveExactlyTheMessagesOfFeeds() {
    assertSame(EdgeFeedProto.getDescriptor(), PublishedFeedProto.getDescriptor());
  }

  @Test
  void shouldHaveExactlyTheMessagesOfInsight() {
    assertSame(EdgeInsightProto.getDescriptor(), PublishedInsightProto.getDescriptor());
  }

  @Test
  void shouldNumberKindsOfEffectsAsTheEngineDoes() {
    assertThat(values(EffectKind.getDescriptor()))
        .isEqualTo(values(io.entroq.codec.wire.published.feed.EffectKind.getDescriptor()))
        .isEqualTo(values(io.entroq.codec.wire.log.EffectKind.getDescriptor()));
  }

  private static void assertSame(FileDescriptor ours, FileDescriptor published) {
    assertThat(names(ours)).isEqualTo(names(published));
    for (Descriptor message : published.getMessageTypes()) {
      assertThat(fields(ours.findMessageTypeByName(message.getName())))
          .as(message.getName())
          .isEqualTo(fields(message));
    }
  }

  @Test
  void shouldHaveAllOfTheV0Api() {
    for (Descriptor message : v0.getMessageTypes()) {
      assertThat(fields(edge.findMessageTypeByName(message.getName())))
          .as(message.getName())
          .containsAllEntriesOf(fields(message));
    }
  }

  @Test
  void shouldAddNothingToTheV0ApiButDocsStatisticsProtocol2AndExtensions() {
    for (Descriptor message : v0.getMessageTypes()) {
      Map<Integer, String> added = fields(edge.findMessageTypeByName(message.getName()));
      added.keySet().removeAll(fields(message).keySet());
      added.keySet().removeIf(number -> number >= EXTENSIONS_FROM);
      assertThat(added.values()).as(message.getName()).allMatch(EdgeFieldsTest::isOfTheV1ApiAlone);
    }
  }

  private static boolean isOfTheV1ApiAlone(String field) {
    return field.contains("doc")
        || field.contains("num_future")
        || field.contains("by_ms")
        || field.contains("mode");
  }

  @Test
  void shouldTellWhetherThereIsAValue() {
    assertThat(edge.getMessageTypes().stream().flatMap(message -> message.getFields().stream()))
        .filteredOn(EdgeFieldsTest::isValue)
        .hasSize(4)
        .allMatch(FieldDescriptor::hasPresence);
  }

  @Test
  void shouldNameActionsAsBothApisDo() {
    assertThat(values(edge)).isEqualTo(values(v0)).isEqualTo(values(v1));
    assertThat(values(v1))
        .containsExactly(
            "CLAIM=0", "DELETE=1", "CHANGE=2", "DEPEND=3", "DETAIL=4", "INSERT=5", "READ=6");
  }

  @Test
  void shouldPublishTheMethodsUnderTheirNames() {
    assertThat(methods(v0))
        .containsExactly(
            "proto.EntroQ.TryClaim(ClaimRequest, ClaimResponse)",
            "proto.EntroQ.Claim(ClaimRequest, ClaimResponse)",
            "proto.EntroQ.Modify(ModifyRequest, ModifyResponse)",
            "proto.EntroQ.Tasks(TasksRequest, TasksResponse)",
            "proto.EntroQ.Queues(QueuesRequest, QueuesResponse)",
            "proto.EntroQ.QueueStats(QueuesRequest, QueuesResponse)",
            "proto.EntroQ.Time(TimeRequest, TimeResponse)",
            "proto.EntroQ.StreamTasks(TasksRequest, stream TasksResponse)");
    assertThat(methods(v1))
        .containsExactly(
            "api.EntroQ.TryClaim(ClaimRequest, ClaimResponse)",
            "api.EntroQ.Claim(ClaimRequest, ClaimResponse)",
            "api.EntroQ.Modify(ModifyRequest, ModifyResponse)",
            "api.EntroQ.Tasks(TasksRequest, TasksResponse)",
            "api.EntroQ.Queues(QueuesRequest, QueuesResponse)",
            "api.EntroQ.QueueStats(QueuesRequest, QueuesResponse)",
            "api.EntroQ.Time(TimeRequest, TimeResponse)",
            "api.EntroQ.StreamTasks(TasksRequest, stream TasksResponse)",
            "api.EntroQ.Docs(DocsRequest, DocsResponse)",
            "api.EntroQ.ClaimDocs(ClaimDocsRequest, ClaimDocsResponse)",
            "api.EntroQ.NamespaceStats(NamespacesRequest, NamespacesResponse)",
            "api.EntroQ.CancelClaim(CancelClaimRequest, CancelClaimResponse)");
  }

  private static List<String> names(FileDescriptor file) {
    return file.getMessageTypes().stream().map(Descriptor::getName).sorted().toList();
  }

  private static Map<Integer, String> fields(Descriptor message) {
    Map<Integer, String> fields = new TreeMap<>();
    for (FieldDescriptor field : message.getFields()) {
      fields.put(field.getNumber(), describe(field));
    }
    return fields;
  }

  /** A field as it is on the wire; presence is seen there for values alone. */
  private static String describe(FieldDescriptor field) {
    FieldDescriptorProto proto = field.toProto();
    return (field.isRepeated() ? "repeated " : "") + type(field) + " " + proto.getName();
  }

  private static String type(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> {
        Descriptor type = field.getMessageType();
        yield type.equals(Value.getDescriptor()) ? "value" : type.getName();
      }
      case ENUM -> field.getEnumType().getName();
      case BYTE_STRING -> isValue(field) ? "value" : "bytes";
      default -> field.getType().name();
    };
  }

  /** The bytes that are a Value to one API and bytes to the other. */
  private static boolean isValue(FieldDescriptor field) {
    return field.getName().equals("value") || field.getName().equals("content");
  }

  private static List<String> values(FileDescriptor file) {
    return values(file.findEnumTypeByName("ActionType"));
  }

  private static List<String> values(EnumDescriptor type) {
    return type.getValues().stream().map(v -> v.getName() + "=" + v.getNumber()).toList();
  }

  private static List<String> methods(FileDescriptor file) {
    return file.findServiceByName("EntroQ").getMethods().stream()
        .map(
            method ->
                "%s(%s, %s%s)"
                    .formatted(
                        method.getFullName(),
                        method.getInputType().getName(),
                        method.isServerStreaming() ? "stream " : "",
                        method.getOutputType().getName()))
        .toList();
  }
}
