package io.entroq.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.console.view.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyFieldsTest {
  private static final List<String> NAMES = List.of("kind", "name", "expected_version");

  @Test
  void shouldNameEachRuleForPeople() {
    List<Field> fields = PolicyFields.fields(PolicyKind.POLICY_QUEUE, Policy.getDefaultInstance());
    assertThat(fields)
        .extracting(Field::name)
        .containsExactlyElementsOf(
            Policy.getDescriptor().getFields().stream()
                .map(FieldDescriptor::getName)
                .filter(name -> !NAMES.contains(name))
                .toList());
    assertThat(fields).allMatch(field -> Character.isUpperCase(field.label().charAt(0)));
    assertThat(fields).extracting(Field::label).doesNotHaveDuplicates();
  }

  @Test
  void shouldOfferOnlyRulesThatThereCanBe() {
    assertThat(PolicyFields.fields(PolicyKind.POLICY_LIMITER, Policy.getDefaultInstance()))
        .extracting(Field::name)
        .containsExactly("rate_limit", "rate_period_ms", "rate_burst", "in_flight_max");
    assertThat(PolicyFields.fields(PolicyKind.POLICY_PREFIX, Policy.getDefaultInstance()))
        .extracting(Field::name)
        .contains("attempts_max", "weight", "rank")
        .doesNotContain("fair", "pool_depth", "groups");
  }
}
