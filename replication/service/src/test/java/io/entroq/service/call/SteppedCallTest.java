package io.entroq.service.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a transport tells of a call reaches the step that is under way. */
class SteppedCallTest {
  private final List<String> told = new ArrayList<>();
  private final SteppedCall call = new SteppedCall();

  @Test
  void shouldWithdrawTheStepThatIsUnderWay() {
    call.step(() -> step("asking"));
    call.step(() -> step("claim"));
    call.withdraw();
    assertThat(told).containsExactly("claim withdrawn");
  }

  @Test
  void shouldWithdrawAStepThatBeginsAfterwards() {
    call.step(() -> step("asking"));
    call.withdraw();
    call.step(() -> step("claim"));
    assertThat(told).containsExactly("asking withdrawn", "claim withdrawn");
  }

  @Test
  void shouldBeginNoStepForNobody() {
    call.step(() -> step("asking"));
    call.cancel();
    call.step(() -> step("claim"));
    assertThat(told).containsExactly("asking cancelled");
  }

  private Call step(String name) {
    return new Call() {
      @Override
      public void cancel() {
        told.add(name + " cancelled");
      }

      @Override
      public void withdraw() {
        told.add(name + " withdrawn");
      }
    };
  }
}
