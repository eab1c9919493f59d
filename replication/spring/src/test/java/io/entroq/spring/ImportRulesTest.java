package io.entroq.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class ImportRulesTest {
  private static final JavaClasses STARTER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.spring");

  @Test
  void shouldUseThePublicApiOnly() {
    classes()
        .that()
        .resideInAPackage("io.entroq.spring")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.spring",
            "io.entroq.api..",
            "io.entroq.client",
            "io.entroq.engine.embedded",
            // What the embedded engine extends.
            "io.entroq.engine.local",
            "java..",
            "org.jspecify.annotations",
            "org.springframework..",
            "io.micrometer.core..",
            "io.entroq.micrometer",
            "io.entroq.jdbc",
            "io.entroq.opentelemetry",
            "io.opentelemetry.api..",
            "javax.sql",
            "tools.jackson..")
        .check(STARTER);
  }

  /** Applications need not have the actuator. */
  @Test
  void shouldNeedTheActuatorForItsOwnClassesOnly() {
    onlyIn(
        "EntroQ(Actuator.*|HealthIndicator|Endpoint)|OutboxMeters",
        "org.springframework.boot.actuate..",
        "org.springframework.boot.health..",
        "io.entroq.micrometer",
        "io.micrometer..");
  }

  /** Applications need not have a database. */
  @Test
  void shouldNeedADatabaseForItsOwnClassesOnly() {
    onlyIn(
        "EntroQ(Outbox|Actuator).*|Outbox.*|Transactional.*|CurrentTransaction",
        "io.entroq.jdbc",
        "org.springframework.boot.jdbc..",
        "org.springframework.boot.sql..",
        "org.springframework.jdbc..",
        "org.springframework.transaction..");
  }

  /** Applications need not have OpenTelemetry. */
  @Test
  void shouldNeedOpenTelemetryForItsOwnClassesOnly() {
    onlyIn("EntroQTelemetry.*", "io.entroq.opentelemetry", "io.opentelemetry..");
  }

  /**
   * @param names of the only classes that may use these packages
   */
  private static void onlyIn(String names, String... packages) {
    noClasses()
        .that(
            DescribedPredicate.describe(
                "are not " + names,
                type ->
                    type.getPackageName().equals("io.entroq.spring")
                        && !outermostName(type).matches(names)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(STARTER);
  }

  private static String outermostName(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replaceAll("\\$.*", "");
  }
}
