package io.entroq.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.entroq.server.cli.queue.options.ServerOptions;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.server.serving.WarmUp;
import io.grpc.Status;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Who may import whom, in the process that serves. */
class ImportRulesTest {
  // Read once for all rules.
  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq.server");

  private static final String ABORTED = "ABORTED";

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.server.(**)").should().beFreeOfCycles().check(SERVER);
  }

  @Test
  void shouldShowTheApiAloneInTheWorkersOfTheDemo() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.server.demo.chaos..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(SERVER);
  }

  @Test
  void shouldKnowInOnePlaceWhatCommandsOnQueuesWorkOn() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.server.cli.queue..")
        .and()
        .doNotHaveFullyQualifiedName(TargetOptions.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(ServerOptions.class.getName())
        .and()
        .haveNameNotMatching(".*\\.options\\.(SourceOptions.*|ConnectionChoice|PointText.*)")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.entroq.engine..", "io.entroq.client..")
        .because("any EntroQ will do: embedded, served or replicated")
        .check(SERVER);
  }

  @Test
  void shouldLeaveToTheServiceWhatCarriesRequests() {
    noClasses()
        .that()
        // It is a client of its own server.
        .haveNameNotMatching(Pattern.quote(WarmUp.class.getName()) + "(\\$.*)?")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.grpc..")
                // Certificates that may change while they are used, for whatever listens.
                .and(not(resideInAPackage("io.grpc.util")))
                .and(not(equivalentTo(Status.class)))
                .and(not(equivalentTo(Status.Code.class))))
        .because("the same service goes behind whatever carries requests")
        .check(SERVER);
  }

  @Test
  void shouldCallTheEngineThroughItsApiAndItsGatewayAlone() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.engine.runtime..",
            "io.entroq.engine.request..",
            "io.entroq.engine.call..",
            "io.entroq.engine.local..",
            "io.entroq.engine.replica..")
        .check(SERVER);
  }

  @Test
  void shouldNeverAnswerAborted() {
    noClasses()
        .should()
        .accessField(Status.Code.class, ABORTED)
        .orShould()
        .accessField(Status.class, ABORTED)
        .because("clients take it for a failed dependency")
        .check(SERVER);
  }
}
