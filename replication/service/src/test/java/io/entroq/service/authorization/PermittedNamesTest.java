package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.authorization.PermittedNames.Name;
import io.entroq.service.call.CallContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is asked, how often, and what is remembered. */
class PermittedNamesTest {
  private final List<AuthorizationQuery> asked = new ArrayList<>();
  private long nowNs = 5;
  private final PermittedNames names =
      new PermittedNames(
          new LoggedAuthorizer(
              query -> {
                asked.add(query);
                return CompletableFuture.completedFuture(decide(query));
              }),
          CallContext.of("test"),
          () -> nowNs);

  /** Permits odd numbers, and does not say what it denies. */
  private static Decision decide(AuthorizationQuery query) {
    boolean isAllowed =
        query.queues().stream().allMatch(each -> Integer.parseInt(each.name()) % 2 == 1);
    return isAllowed ? Decision.ALLOWED : Decision.denied(List.of(), List.of());
  }

  private static List<Name> numbers(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(number -> Name.ofQueue(Integer.toString(number)))
        .toList();
  }

  private void ask(List<Name> some) {
    assertThat(names.ask(some)).isCompletedWithValueMatching(failure -> failure.isEmpty());
    assertThat(some).allMatch(names::isKnown);
  }

  @Test
  void shouldFindWhatIsDeniedThoughNobodySaysIt() {
    List<Name> some = numbers(0, 250);
    ask(some);
    assertThat(some.stream().filter(names::isPermitted)).hasSize(125);
    assertThat(asked).allMatch(query -> query.queues().size() <= 100);
  }

  @Test
  void shouldForgetAfterAMinute() {
    List<Name> odd = numbers(1, 1);
    ask(odd);
    nowNs += PermittedNames.KNOWN_NS - 1;
    assertThat(names.isKnown(odd.get(0))).isTrue();
    nowNs++;
    assertThat(names.isKnown(odd.get(0))).isFalse();
    ask(odd);
    assertThat(asked).hasSize(2);
  }

  @Test
  void shouldForgetWhatWasNotUsedForLongest() {
    ask(numbers(0, PermittedNames.NAMES_MAX));
    assertThat(names.isPermitted(numbers(1, 1).get(0))).isTrue();
    ask(numbers(PermittedNames.NAMES_MAX, 2));
    assertThat(names.isKnown(numbers(1, 1).get(0))).isTrue();
    assertThat(names.isKnown(numbers(0, 1).get(0))).isFalse();
  }
}
