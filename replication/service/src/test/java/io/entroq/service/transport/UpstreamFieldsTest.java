package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.wire.published.v1.ChangeMode;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers, types and names by which EntroQ's clients of protocol 2 know fields (2.2, 2.3). */
class UpstreamFieldsTest {
  private static final int EXTENSION_MIN = 100;

  /** Upstream has none of these, and never will. */
  private static final Set<String> OWN_MESSAGES =
      Set.of("CancelClaimRequest", "CancelClaimResponse");

  @ParameterizedTest
  @CsvSource({
    "TaskData, 7, by_ms, INT64, byMs",
    "TaskChange, 3, mode, ENUM, mode",
    "DocChange, 3, mode, ENUM, mode",
    "DocData, 9, by_ms, INT64, byMs",
    "DocID, 1, namespace, STRING, namespace",
    "DocID, 2, id, STRING, id",
    "DocID, 3, version, INT32, version",
    "DocID, 4, key, STRING, key",
    "DocID, 5, secondary_key, STRING, secondaryKey",
    "Doc, 11, len, INT32, len",
    "DocQuery, 7, key_exact, STRING, keyExact",
    "DocSetClaim, 1, set, MESSAGE, set",
    "DocSetClaim, 2, omit_members, BOOL, omitMembers",
    "DocClaim, 1, namespace, STRING, namespace",
    "DocClaim, 2, claimant, STRING, claimant",
    "DocClaim, 3, key, STRING, key",
    "DocClaim, 4, duration_ms, INT64, durationMs",
    "DocClaim, 5, sets, MESSAGE, sets",
    "DocClaim, 7, task_to_match, MESSAGE, taskToMatch",
    "ClaimDocsResponse, 1, docs, MESSAGE, docs",
    "ClaimDocsResponse, 2, sets, MESSAGE, sets"
  })
  void shouldKeepAField(String message, int number, String name, String type, String json) {
    Descriptor descriptor = PublishedV1Proto.getDescriptor().findMessageTypeByName(message);
    FieldDescriptor field = descriptor.findFieldByNumber(number);
    assertThat(field.getName()).isEqualTo(name);
    assertThat(field.getType().name()).isEqualTo(type);
    assertThat(field.getJsonName()).isEqualTo(json);
  }

  @Test
  void shouldKeepTheNumbersOfModes() {
    assertThat(ChangeMode.CHANGE_DEFAULT.getNumber()).isZero();
    assertThat(ChangeMode.CHANGE_RESET_CLAIMS.getNumber()).isEqualTo(1);
    assertThat(ChangeMode.CHANGE_LEASE.getNumber()).isEqualTo(2);
    assertThat(ChangeMode.CHANGE_TAKE_BACK.getNumber()).as("an extension").isEqualTo(100);
  }

  /** A reference to a set has no id, not an empty one, and the other way round. */
  @Test
  void shouldReferEitherToADocOrToASet() {
    assertThat(DocID.getDescriptor().getOneofs())
        .singleElement()
        .satisfies(
            ref ->
                assertThat(ref.getFields())
                    .extracting(FieldDescriptor::getName)
                    .containsExactly("id", "key"));
  }

  /** Upstream may use any number below. */
  @Test
  void shouldNumberExtensionsFromAHundred() {
    List<String> extensions =
        PublishedV1Proto.getDescriptor().getMessageTypes().stream()
            .filter(message -> !OWN_MESSAGES.contains(message.getName()))
            .flatMap(message -> message.getFields().stream())
            .map(FieldDescriptor::getName)
            .filter(
                name ->
                    Set.of(
                            "raw",
                            "raw_values",
                            "client_id",
                            "request_number",
                            "acked_below",
                            "then_claim",
                            "features",
                            "log_id",
                            "more",
                            "claimed",
                            "deadline_ms",
                            "oldest_available_ms")
                        .contains(name))
            .distinct()
            .toList();
    assertThat(extensions).hasSize(12);
    for (Descriptor message : PublishedV1Proto.getDescriptor().getMessageTypes()) {
      for (FieldDescriptor field : message.getFields()) {
        if (extensions.contains(field.getName()) && !OWN_MESSAGES.contains(message.getName())) {
          assertThat(field.getNumber()).as("%s", field).isGreaterThanOrEqualTo(EXTENSION_MIN);
        }
      }
    }
  }
}
