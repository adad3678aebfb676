// Plans in the manner of the tools that people write them with, read as a person would.

#include <catch2/catch.hpp>
#include <string>

#include "markdown/parse_plan.hpp"
#include "markdown/plan_text.hpp"
#include "model/progress.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

// A line for the plan, one for each phase, and below it one for each task: "x id < parent / section /
// section".
std::string outline_of(const core::Plan& plan) {
  const core::Progress progress = core::progress_of(plan);
  const core::Current current = core::current_of(plan);
  std::string text = plan.title + ": " + std::to_string(progress.completed) + " of " +
                     std::to_string(progress.total) + ", optional " + std::to_string(progress.optional_open) +
                     " of " + std::to_string(progress.optional) + "\n";
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    text += plan.phases[p].id.text + "\n";
    for (std::size_t t = 0; t < plan.phases[p].tasks.size(); ++t) {
      const core::Task& task = plan.phases[p].tasks[t];
      const bool here = current.phase == p && current.task == t;
      text += here ? "> " : "  ";
      text += task.done() ? "x " : task.state == core::BoxState::active ? "~ " : "- ";
      text += task.id.text + (task.optional ? "*" : "");
      if (!task.parent.empty()) text += " < " + task.parent.text;
      for (const std::string& title : task.section) text += " / " + title;
      text += "\n";
    }
  }
  return text;
}

}  // namespace

TEST_CASE("tasks of a spec, by phases and stories") {
  const core::Plan plan = parsed(R"(# Tasks: Photo albums

**Prerequisites**: plan.md, spec.md

## Format: `[ID] [P?] [Story] Description`

- **[P]**: Can run in parallel
- Include exact file paths

## Phase 1: Setup (Shared Infrastructure)

- [x] T001 Create project structure per implementation plan
- [x] T002 [P] Configure linting

---

## Phase 2: Foundational (Blocking Prerequisites)

- [ ] T003 Setup database schema in src/db.py

**Checkpoint**: Foundation ready

## Phase 3: User Story 1 - Albums (Priority: P1)

### Tests for User Story 1

- [ ] T004 [P] [US1] Contract test in tests/test_albums.py

### Implementation for User Story 1

- [ ] T005 [US1] Album model in src/album.py (depends on T003)

## Phase N: Polish & Cross-Cutting Concerns

- [ ] TXXX [P] Documentation updates in docs/

## Parallel Example: User Story 1

```bash
Task: "Contract test"
```

## Notes

- [P] tasks = different files, no dependencies
- [US1] label maps task to user story
)");
  CHECK(outline_of(plan) == R"(Tasks: Photo albums: 2 of 6, optional 0 of 0
phase-1-setup-shared-infrastructure
  x T001
  x T002
phase-2-foundational-blocking-prerequisites
> - T003
phase-3-user-story-1-albums-priority-p1
  - T004 / Tests for User Story 1
  - T005 / Implementation for User Story 1
phase-n-polish-cross-cutting-concerns
  - txxx-p-documentation-updates-in-docs
)");
  CHECK(codes(plan).empty());
}

TEST_CASE("tasks of a change, by numbers") {
  const core::Plan plan = parsed(R"(## 1. Database Setup
- [x] 1.1 Add OTP secret column to users table
- [x] 1.2 Create OTP verification logs table

## 2. Backend Implementation
- [ ] 2.1 Add OTP generation endpoint
- [ ] 2.2 Modify login flow to require OTP

## 3. Frontend Updates
### Components
- [ ] 3.1 Create OTP input component
### Screens
- [ ] 3.2 Update login flow UI
)");
  CHECK(outline_of(plan) == R"(: 2 of 6, optional 0 of 0
1-database-setup
  x 1.1
  x 1.2
2-backend-implementation
> - 2.1
  - 2.2
3-frontend-updates
  - 3.1 / Components
  - 3.2 / Screens
)");
  CHECK(codes(plan).empty());
}

TEST_CASE("an implementation plan with optional sub-tasks") {
  const core::Plan plan = parsed(R"(# Implementation Plan

- [x] 1. Set up project structure and core interfaces
  - Create directory structure
  - _Requirements: 1.1_

- [ ] 2. Implement data models
- [x] 2.1 Create interfaces
  - Write TypeScript interfaces
- [ ] 2.2 Implement User model
  - [ ]* 2.3 Write unit tests for User
    - _Requirements: 1.2_

- [-] 3. Storage
  - [ ] 3.1 Connection
- [ ] 4. Final checkpoint
)");
  CHECK(outline_of(plan) == R"(Implementation Plan: 2 of 7, optional 1 of 1
implementation-plan
  x 1
  - 2
  x 2.1
  - 2.2
  - 2.3* < 2.2
  ~ 3
> - 3.1 < 3
  - 4
)");
  CHECK(codes(plan).empty());
}

TEST_CASE("a plan of tasks with steps, and a list at the end") {
  const core::Plan plan = parsed(R"(# Feature Flags Implementation Plan

> **For agentic workers:** steps use checkbox (`- [ ]`) syntax.

**Goal:** flags

---

### Task 1: Flag store

**Files:**
- Create: `src/flags.ts`

- [x] **Step 1: Write the failing test**

```typescript
- [ ] not a box
```

- [ ] **Step 2: Run test to verify it fails**

### Task 2: Flag API

- [ ] **Step 1: Write the failing test**
- [ ] **Step 2: Implement**

## Verification

- [ ] All green
)");
  CHECK(outline_of(plan) == R"(Feature Flags Implementation Plan: 1 of 5, optional 0 of 0
task-1-flag-store
  x step-1-write-the-failing-test
> - step-2-run-test-to-verify-it-fails
task-2-flag-api
  - step-1-write-the-failing-test-2
  - step-2-implement
verification
  - all-green
)");
  CHECK(codes(plan) == std::vector<std::string>{"16:1 checkbox-in-code"});
}

TEST_CASE("a track with commits behind what is done") {
  const core::Plan plan = parsed(R"(# Track: Payments

## Phase 1: Model [checkpoint: abc1234]
- [x] Task: Define entities [abc1234]
    - [x] Sub-task: Write tests
    - [x] Sub-task: Implement
- [x] Task: Conductor - User Manual Verification 'Phase 1' (Protocol in workflow.md)

## Phase 2: API
- [~] Task: Create endpoint
    - [x] Sub-task: Write tests
    - [ ] Sub-task: Implement
- [ ] Task: Docs

## [ ] Phase 3: Later
### Refunds
- [ ] Task: Refunds
)");
  CHECK(outline_of(plan) == R"(Track: Payments: 5 of 9, optional 0 of 0
phase-1-model
  x task-define-entities-abc1234
  x sub-task-write-tests < task-define-entities-abc1234
  x sub-task-implement < task-define-entities-abc1234
  x task-conductor-user-manual-verification-phase-1
phase-2-api
  ~ task-create-endpoint
  x sub-task-write-tests-2 < task-create-endpoint
> - sub-task-implement-2 < task-create-endpoint
  - task-docs
phase-3-later
  - task-refunds / Refunds
)");
  CHECK(codes(plan).empty());
}
