package io.entroq.api.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the methods do is in the conformance suite, which also runs with an observed queue. */
class ForwardingQueueTest {
  /** One that is missing would answer for the wrong queue, such as that it has no policies. */
  @Test
  void shouldPassOnAllThatIsNotMadeOfOtherMethods() {
    List<String> forwarded =
        Arrays.stream(ForwardingQueue.class.getDeclaredMethods()).map(Method::getName).toList();
    assertThat(EntroQ.class.getMethods())
        .filteredOn(ForwardingQueueTest::isAnsweredByTheQueue)
        .extracting(Method::getName)
        .contains("hasPools", "extension", "positionAsync")
        .isSubsetOf(forwarded);
  }

  private static boolean isAnsweredByTheQueue(Method method) {
    boolean isOfSubclasses = method.getName().equals("withTimeout");
    return !isOfSubclasses
        && !Modifier.isStatic(method.getModifiers())
        && (Modifier.isAbstract(method.getModifiers())
            || method.getReturnType() == CompletableFuture.class
            || method.getReturnType() == boolean.class && method.getParameterCount() == 0
            || method.getName().equals("extension"));
  }
}
