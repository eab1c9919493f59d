package io.entroq.tools.importing;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.tools.terminal.Interruption;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyCopyTest {
  private static final int COUNT = 2 * Batch.ITEMS_MAX + 1;

  private final EmbeddedEntroQ target = EmbeddedEntroQ.inMemory();
  private int reads;
  private int repliesToLose;

  @AfterEach
  void close() {
    target.close();
  }

  @Test
  void shouldReadTheTargetOnceForAllBatches() {
    assertThat(copy()).isEqualTo(new PolicyImport.Written(COUNT, 0));
    assertThat(reads).isEqualTo(1);
    assertThat(target.policyEntries(Policies.Query.all())).hasSize(COUNT);
  }

  @Test
  void shouldReadItAgainAfterAnUnknownOutcome() {
    repliesToLose = 1;
    PolicyImport.Written rest = new PolicyImport.Written(COUNT - Batch.ITEMS_MAX, 0);
    assertThat(copy()).isEqualTo(rest);
    assertThat(reads).isEqualTo(2);
    assertThat(target.policyEntries(Policies.Query.all()))
        .hasSize(COUNT)
        .allMatch(entry -> entry.version() == 1);
  }

  private PolicyImport.Written copy() {
    EntroQ watched =
        (EntroQ)
            Proxy.newProxyInstance(
                EntroQ.class.getClassLoader(), new Class<?>[] {EntroQ.class}, this::call);
    List<Policies.Entry> entries =
        IntStream.range(0, COUNT).mapToObj(PolicyCopyTest::entry).toList();
    try (Interruption interruption = new Interruption("copy")) {
      ImportSides sides =
          new ImportSides(null, watched, "target", "", interruption, TargetRules.NONE);
      return new PolicyCopy(sides, new RetryLoop(Duration.ofMinutes(1), interruption, "target"))
          .run(entries);
    }
  }

  private static Policies.Entry entry(int number) {
    QueuePolicy policy = QueuePolicy.of("q" + number).inFlight(1);
    return new Policies.Entry(
        policy.target(), Optional.of(policy), 1, Optional.empty(), 0, Optional.empty());
  }

  private Object call(Object proxy, Method method, Object[] args) throws Throwable {
    try {
      Object answer = method.invoke(target, args);
      if (method.getName().equals("policyEntries")) {
        reads++;
      }
      if (method.getName().equals("modify") && repliesToLose-- > 0) {
        throw new EntroQException.OutcomeUnknown("lost on purpose");
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
